//! Lists, maps, and loops over them.

use super::checker::Checker;
use crate::syntax::{Entry, Fold, Name, NodeId};
use crate::types::{Type, most_general};

impl Checker<'_> {
    pub(super) fn list(&mut self, id: NodeId, items: &[NodeId], optional: &[bool]) {
        let mut joined = None;
        for (item, optional) in items.iter().zip(optional) {
            self.node(*item);
            let type_ = self.item(*item, *optional);
            joined = Some(self.join(joined, type_));
        }
        let item = joined.unwrap_or_else(|| self.free_type());
        self.set_type(id, Type::list(item));
    }

    pub(super) fn map(&mut self, id: NodeId, entries: &[Entry]) {
        let (mut keys, mut values) = (None, None);
        for Entry { key, value, optional } in entries {
            self.node(*key);
            let type_ = self.type_of(*key);
            keys = Some(self.join(keys, type_));
            self.node(*value);
            let type_ = self.item(*value, *optional);
            values = Some(self.join(values, type_));
        }
        let (key, value) = match (keys, values) {
            (Some(key), Some(value)) => (key, value),
            _ => (self.free_type(), self.free_type()),
        };
        self.set_type(id, Type::map(key, value));
    }

    /// Returns the type of an item; for an optional item, which is omitted if empty, the type inside the optional.
    fn item(&mut self, id: NodeId, optional: bool) -> Type {
        let type_ = self.type_of(id);
        let (inner, is_optional) = type_.unwrapped();
        if !optional {
            return type_;
        }
        if !is_optional && !inner.is_dyn() {
            self.mismatch(id, &Type::optional(inner.clone()), inner);
        }
        inner.clone()
    }

    /// Returns a type that covers both the previous values and another one.
    fn join(&mut self, before: Option<Type>, type_: Type) -> Type {
        match before {
            None => type_,
            Some(before) if self.bindings.assign(&before, &type_) => most_general(&before, &type_).clone(),
            Some(_) => Type::Dyn,
        }
    }

    pub(super) fn fold(&mut self, id: NodeId, fold: &Fold) {
        self.node(fold.range);
        self.node(fold.start);
        let range = self.bindings.substitute(&self.type_of(fold.range));
        let collected = self.type_of(fold.start);
        self.compares_numbers = true;
        self.scopes.push((Name::clone(&fold.accumulator), collected.clone()));
        let variable = match &range {
            Type::List(_) | Type::Map(_) => range.params().first().cloned().unwrap_or(Type::Dyn),
            Type::Record(_) => Type::Text,
            Type::Dyn | Type::Error | Type::Param(_) => {
                // From here on, the range has any type.
                self.bindings.assign(&Type::Dyn, &range);
                Type::Dyn
            }
            _ => {
                let message = "cannot be range of a comprehension (must be list, map, or dynamic)";
                self.problem(fold.range, format!("expression of type '{range}' {message}"));
                Type::Error
            }
        };
        self.scopes.push((Name::clone(&fold.variable), variable));
        self.node(fold.condition);
        self.assert(fold.condition, &Type::Bool);
        self.node(fold.step);
        self.assert(fold.step, &collected);
        self.scopes.pop();
        self.node(fold.result);
        self.scopes.pop();
        let type_ = self.bindings.substitute(&self.type_of(fold.result));
        self.set_type(id, type_);
    }

    fn assert(&mut self, id: NodeId, wanted: &Type) {
        let given = self.type_of(id);
        if !self.bindings.assign(wanted, &given) {
            self.mismatch(id, wanted, &given);
        }
    }
}

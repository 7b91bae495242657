//! What an expression reads of a variable, found without running it.

use std::collections::BTreeSet;

use super::program::{CompileError, compile_error, deeply};
use super::source::{Problems, Source};
use super::syntax::{Entry, Fold, Kind, Literal, NodeId, Tree, operator, parse};

/// The path of a field below a variable.
pub type FieldPath = Vec<String>;

/// The function for scores of a cluster, which an expression about an object does not have.
const SCORES: &str = "scores";

/// Returns the fields that an expression reads of a variable. Each is found by names alone, so that it can be asked for before the expression
/// runs.
///
/// # Errors
/// The first place at which the fields are not known: where the expression reads the variable as a whole, an item of a list, or each item.
pub fn reads(text: &str, variable: &str) -> Result<BTreeSet<FieldPath>, CompileError> {
    deeply(|| {
        let source = Source::new(text);
        let (tree, root) = parse(&source).map_err(|problems| compile_error(problems, &source))?;
        let mut walk = Walk { tree: &tree, variable, hidden: 0, found: BTreeSet::new(), problems: Problems::default() };
        walk.node(root, false);
        if walk.problems.is_empty() && walk.found.is_empty() {
            walk.problems.add(None, format!("it reads no field of {variable}"));
        }
        if walk.problems.is_empty() { Ok(walk.found) } else { Err(compile_error(walk.problems, &source)) }
    })
}

struct Walk<'t> {
    tree: &'t Tree,
    variable: &'t str,
    /// How many of the surrounding loops have a variable of the same name.
    hidden: usize,
    found: BTreeSet<FieldPath>,
    problems: Problems,
}

impl Walk<'_> {
    /// Notes what a node reads, and the nodes below it. `is_range` is true in what a loop goes through.
    fn node(&mut self, id: NodeId, is_range: bool) {
        let problem = match self.path(id) {
            Some(Ok(path)) if path.is_empty() => {
                format!("it reads {} as a whole, and not a field of it", self.variable)
            }
            Some(Ok(_)) if is_range => "it goes through the items of a list or a map".to_owned(),
            Some(Ok(path)) => {
                self.found.insert(path);
                return;
            }
            Some(Err(why)) => why.to_owned(),
            None => return self.below(id, is_range),
        };
        self.problems.add(self.tree.at(id), problem);
    }

    /// Returns the path of a field of the variable; `None` for anything else.
    fn path(&self, id: NodeId) -> Option<Result<FieldPath, &'static str>> {
        let step = |operand: NodeId, field: &str| {
            let path = self.path(operand)?;
            Some(path.map(|path| path.into_iter().chain([field.to_owned()]).collect()))
        };
        match self.tree.kind(id) {
            // A name with a dot before it is never a variable of a loop.
            Kind::Ident(name) if name.strip_prefix('.') == Some(self.variable) => Some(Ok(FieldPath::new())),
            Kind::Ident(name) => (&**name == self.variable && self.hidden == 0).then(|| Ok(FieldPath::new())),
            Kind::Select { operand, field, .. } => step(*operand, field),
            Kind::Call { function, args, .. } => match (&**function, args.as_slice()) {
                (operator::OPTIONAL_SELECT | operator::INDEX | operator::OPTIONAL_INDEX, [operand, key]) => {
                    match self.tree.kind(*key) {
                        Kind::Literal(Literal::String(field)) => step(*operand, field),
                        Kind::Literal(_) => self.path(*operand).map(|_| Err("it reads an item of a list")),
                        _ => self
                            .path(*operand)
                            .map(|_| Err("it reads a field or an item that is known only when it runs")),
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn below(&mut self, id: NodeId, is_range: bool) {
        match self.tree.kind(id) {
            Kind::Broken | Kind::Literal(_) | Kind::Ident(_) => {}
            Kind::Select { operand, .. } => self.node(*operand, is_range),
            Kind::Call { function, target, args } => {
                if &**function == SCORES {
                    self.problems.add(self.tree.at(id), "an object has no scores");
                }
                target.iter().chain(args).for_each(|id| self.node(*id, is_range));
            }
            Kind::List { items, .. } => items.iter().for_each(|id| self.node(*id, is_range)),
            Kind::Map { entries } => entries.iter().for_each(|Entry { key, value, .. }| {
                self.node(*key, is_range);
                self.node(*value, is_range);
            }),
            Kind::Message { values, .. } => values.iter().for_each(|id| self.node(*id, is_range)),
            Kind::Fold(fold) => self.fold(fold, is_range),
        }
    }

    fn fold(&mut self, fold: &Fold, is_range: bool) {
        // The items of a list that the expression contains are known.
        let is_list = matches!(self.tree.kind(fold.range), Kind::List { .. });
        self.node(fold.range, is_range || !is_list);
        self.node(fold.start, is_range);
        let hides = usize::from(&*fold.variable == self.variable);
        self.hidden += hides;
        [fold.condition, fold.step, fold.result].into_iter().for_each(|id| self.node(id, is_range));
        self.hidden -= hides;
    }
}

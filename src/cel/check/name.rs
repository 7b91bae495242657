//! Names: variables, types, and fields.

use std::collections::BTreeMap;

use super::checker::Checker;
use super::reference::{Reference, Variables};
use crate::syntax::{Kind, Literal, Name, NodeId};
use crate::types::Type;

/// The variable of an expression about a cluster.
const CLUSTER: &str = "managedCluster";
/// The variable of a rule for the current value.
const SELF: &str = "self";
/// Maximum number of known fields in a message.
const MAX_KNOWN: usize = 10;
/// The variable of a rule for the previous value.
pub(crate) const OLD_SELF: &str = "oldSelf";

impl<'t> Checker<'t> {
    pub(super) fn ident(&mut self, id: NodeId, name: &Name) {
        if let Some(type_) = self.local(name) {
            self.set_type(id, type_);
            self.refer(id, Reference::Local(Name::clone(name)));
        } else if let Some((type_, reference)) = self.global(name) {
            self.set_type(id, type_);
            self.refer(id, reference);
        } else {
            self.undeclared(id, name);
        }
    }

    fn local(&self, name: &str) -> Option<Type> {
        self.scopes.iter().rev().find(|(local, _)| **local == *name).map(|(_, type_)| type_.clone())
    }

    pub(super) fn select(&mut self, id: NodeId, operand: NodeId, field: &str, test: bool) {
        if let Some((type_, reference)) = self.qualified(id) {
            self.set_type(id, type_);
            self.refer(id, reference);
            return;
        }
        let type_ = self.field(id, operand, Some(field), false);
        self.set_type(id, if test { Type::Bool } else { type_ });
    }

    /// Returns what a dotted name refers to, unless it is a field of a variable.
    fn qualified(&self, id: NodeId) -> Option<(Type, Reference)> {
        let mut parts: Vec<&str> = Vec::new();
        let mut at = id;
        let first = loop {
            match self.tree.kind(at) {
                Kind::Select { operand, field, test: false } => {
                    parts.push(field);
                    at = *operand;
                }
                Kind::Ident(name) => break &**name,
                _ => return None,
            }
        };
        if self.local(first).is_some() {
            return None;
        }
        parts.push(first);
        parts.reverse();
        self.global(&parts.join("."))
    }

    /// Returns the string that a node has, if it is constant.
    pub(super) fn constant(&self, id: NodeId) -> Option<&'t str> {
        match self.tree.kind(id) {
            Kind::Literal(Literal::String(text)) => Some(text),
            _ => None,
        }
    }

    /// Returns the type of a field of an operand.
    pub(super) fn field(&mut self, id: NodeId, operand: NodeId, field: Option<&str>, optional: bool) -> Type {
        self.node(operand);
        let type_ = self.bindings.substitute(&self.type_of(operand));
        let (target, is_optional) = type_.unwrapped();
        let found = match target {
            Type::Map(_) => target.params().get(1).cloned().unwrap_or(Type::Dyn),
            Type::Record(fields) => match field.map(|field| (field, fields.get(field))) {
                Some((field, None)) => {
                    self.problem(id, undefined(field, fields));
                    Type::Error
                }
                Some((_, Some(type_))) => type_.clone(),
                None => Type::Dyn,
            },
            Type::Param(_) => {
                // From here on, the operand has any type.
                self.bindings.assign(&Type::Dyn, target);
                Type::Dyn
            }
            Type::Dyn | Type::Error => Type::Dyn,
            _ => {
                self.problem(id, format!("type '{target}' does not support field selection"));
                Type::Dyn
            }
        };
        self.bindings.substitute(&if is_optional || optional { Type::optional(found) } else { found })
    }

    /// Returns what a name refers to if no loop has a variable of that name.
    fn global(&self, name: &str) -> Option<(Type, Reference)> {
        let name = name.strip_prefix('.').unwrap_or(name);
        let type_ = match (name, self.variables) {
            (CLUSTER, Variables::Cluster) => return Some((Type::map(Type::Text, Type::Dyn), Reference::Cluster)),
            (SELF, Variables::Rule { .. }) => {
                return Some((Type::Dyn, Reference::Variable { name: SELF.into(), optional: false }));
            }
            (OLD_SELF, Variables::Rule { optional }) => {
                let type_ = if optional { Type::optional(Type::Dyn) } else { Type::Dyn };
                return Some((type_, Reference::Variable { name: OLD_SELF.into(), optional }));
            }
            (name, Variables::Named(names) | Variables::Values(names)) if names.contains(&name) => {
                let is_any = matches!(self.variables, Variables::Values(_));
                let type_ = if is_any { Type::Dyn } else { Type::map(Type::Text, Type::Dyn) };
                return Some((type_, Reference::Variable { name: name.into(), optional: false }));
            }
            (name, Variables::Typed(types)) if types.contains_key(name) => {
                let (name, type_) = types.get_key_value(name)?;
                return Some((type_.clone(), Reference::Variable { name: Name::clone(name), optional: false }));
            }
            ("google.protobuf.NullValue.NULL_VALUE", _) => return Some((Type::Int, Reference::Int(0))),
            (name, _) => named(name)?,
        };
        let name = type_.name();
        Some((Type::of(type_), Reference::Type(name)))
    }

    /// Rejects a message literal: messages are not supported.
    pub(super) fn message(&mut self, id: NodeId, name: &str) {
        if matches!(self.global(name), Some((_, Reference::Type(_)))) {
            self.set_type(id, Type::Error);
            self.problem(id, format!("'{}' is not a message type", name.trim_start_matches('.')));
        } else {
            self.undeclared(id, name);
        }
    }
}

/// Returns the message about a field that a value with these fields never has.
fn undefined(field: &str, fields: &BTreeMap<String, Type>) -> String {
    let mut known: Vec<&str> = fields.keys().map(String::as_str).take(MAX_KNOWN + 1).collect();
    if let Some(rest) = known.get_mut(MAX_KNOWN) {
        *rest = "...";
    }
    match known.as_slice() {
        [] => format!("undefined field '{field}'"),
        known => format!("undefined field '{field}' (known are {})", known.join(", ")),
    }
}

/// Returns the type with a name.
pub(crate) fn named(name: &str) -> Option<Type> {
    Some(match name {
        "bool" => Type::Bool,
        "bytes" => Type::Bytes,
        "double" => Type::Double,
        "google.protobuf.Duration" => Type::Duration,
        "google.protobuf.Timestamp" => Type::Timestamp,
        "int" => Type::Int,
        "list" => Type::list(Type::Dyn),
        "map" => Type::map(Type::Dyn, Type::Dyn),
        "net.CIDR" => Type::Named("net.CIDR"),
        "net.IP" => Type::Named("net.IP"),
        "null_type" => Type::Null,
        "optional_type" => Type::optional(Type::Dyn),
        "string" => Type::Text,
        "type" => Type::any_type(),
        "uint" => Type::Uint,
        _ => return None,
    })
}

//! Field specs: which fields of which kinds a transformer changes.

use std::borrow::Cow;

use crate::overlay::model::{Resource, kind_order};

/// Maximum number of steps in a path: far more than objects nest.
pub(crate) const MAX_STEPS: usize = 64;

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) name: String,
    /// Whether it was written with `[]`: the field holds a list, and is not created.
    pub(crate) is_list: bool,
}

impl Step {
    /// Returns `true` if kustomize reads it as a list index or a search in a list, and not as a field of a mapping.
    ///
    /// # Source
    /// kyaml `PathGetter`.
    pub(crate) fn names_element(&self) -> bool {
        match self.name.as_bytes() {
            [b'*' | b'-'] => true,
            [b'[', .., b']'] => true,
            [b'+' | b'-' | b'0'..=b'9', ..] => self.name.parse::<i64>().is_ok(),
            _ => false,
        }
    }
}

/// A selector by group, version and kind. Empty parts match everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Gvk {
    pub(crate) group: Cow<'static, str>,
    pub(crate) version: Cow<'static, str>,
    pub(crate) kind: Cow<'static, str>,
}

impl Gvk {
    /// Returns `true` if it selects objects of a kind.
    pub(crate) fn selects(&self, api_version: &str, kind: &str) -> bool {
        if !self.kind.is_empty() && self.kind != kind {
            return false;
        }
        if self.group.is_empty() && self.version.is_empty() {
            return true;
        }
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        (self.group.is_empty() || self.group == group) && (self.version.is_empty() || self.version == version)
    }

    /// Returns `true` if another one selects everything that it selects.
    fn is_selected_by(&self, other: &Self) -> bool {
        (other.kind.is_empty() || self.kind == other.kind)
            && (other.group.is_empty() || self.group == other.group)
            && (other.version.is_empty() || self.version == other.version)
    }

    /// Returns the sort key of field specs.
    pub(crate) fn order(&self) -> (i32, String) {
        (kind_order::default_rank(&self.kind), kind_order::sort_text(&self.group, &self.version, &self.kind))
    }
}

/// A field spec: a field of some kinds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldSpec {
    pub(crate) gvk: Gvk,
    pub(crate) path: Cow<'static, str>,
    pub(crate) steps: Vec<Step>,
    /// Whether it is created if it is missing.
    pub(crate) create: bool,
}

impl FieldSpec {
    pub(crate) fn new(gvk: Gvk, path: impl Into<Cow<'static, str>>, create: bool) -> Self {
        let path = path.into();
        let steps = split(&path).into_iter().map(step).collect();
        Self { gvk, path, steps, create }
    }

    pub(crate) fn selects(&self, resource: &Resource) -> bool {
        self.gvk.selects(&resource.api_version(), &resource.kind())
    }
}

/// Splits a path at its slashes. A backslash escapes the slash after it.
pub(crate) fn split(path: &str) -> Vec<String> {
    let path = path.strip_prefix('/').unwrap_or(path);
    let mut parts: Vec<String> = Vec::new();
    for part in path.split('/') {
        match parts.last_mut() {
            Some(last) if last.ends_with('\\') => {
                last.pop();
                last.push('/');
                last.push_str(part);
            }
            _ => parts.push(part.to_owned()),
        }
    }
    parts
}

fn step(part: String) -> Step {
    match part.strip_suffix("[]") {
        Some(name) => Step { name: name.to_owned(), is_list: true },
        None => Step { name: part, is_list: false },
    }
}

/// Two field specs for the same field, only one of which creates it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conflict {
    pub(crate) path: String,
}

/// Adds field specs to others, except those that are already there.
///
/// # Errors
/// [`Conflict`]
pub(crate) fn merge(into: &mut Vec<FieldSpec>, more: &[FieldSpec]) -> Result<(), Conflict> {
    for spec in more {
        let known = into.iter().find(|known| known.path == spec.path && known.gvk.is_selected_by(&spec.gvk));
        match known {
            Some(known) if known.create != spec.create => return Err(Conflict { path: spec.path.to_string() }),
            Some(_) => {}
            None => into.push(spec.clone()),
        }
    }
    Ok(())
}

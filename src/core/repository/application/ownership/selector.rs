//! Which objects a rule is about.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

use super::rules::Selector;
use crate::application::rendered::Rendered;

/// What a selector selects among some objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Selection {
    /// The number of objects.
    pub(crate) count: usize,
    /// Whether no list is given.
    pub(crate) is_empty: bool,
    /// The first list with values that no object has, if nothing is selected.
    pub(crate) unknown: Option<Unknown>,
}

/// A list of a selector with values that no object has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unknown {
    /// The list.
    pub(crate) list: &'static str,
    /// The first value of the list.
    pub(crate) value: String,
    /// The values that objects have.
    pub(crate) known: BTreeSet<String>,
}

impl Selector {
    /// Returns its lists by name.
    fn lists(&self) -> [(&'static str, &[String]); 6] {
        [
            ("componentNames", &self.component_names),
            ("componentTypes", &self.component_types),
            ("oamTypes", &self.oam_types),
            ("traitTypes", &self.trait_types),
            ("resourceTypes", &self.resource_types),
            ("resourceNames", &self.resource_names),
        ]
    }

    /// Returns `true` if it selects an object. A selector without values selects none.
    pub(super) fn selects(&self, rendered: &Rendered) -> bool {
        let values = values(rendered);
        let mut given = self.lists().into_iter().zip(values).filter(|((_, wanted), _)| !wanted.is_empty()).peekable();
        given.peek().is_some() && given.all(|((_, wanted), is)| wanted.iter().any(|value| is.contains(&value.as_str())))
    }

    /// Returns what it selects among objects.
    pub(super) fn among(&self, objects: &[&Rendered]) -> Selection {
        let count = objects.iter().filter(|rendered| self.selects(rendered)).count();
        let is_empty = self.lists().iter().all(|(_, wanted)| wanted.is_empty());
        Selection { count, is_empty, unknown: if count == 0 { self.unknown(objects) } else { None } }
    }

    /// Returns the first list none of whose values an object has.
    fn unknown<'o>(&self, objects: &[&'o Rendered]) -> Option<Unknown> {
        self.lists().into_iter().enumerate().find_map(|(number, (list, wanted))| {
            let of_object = |rendered: &'o Rendered| values(rendered).into_iter().nth(number).unwrap_or_default();
            let known: BTreeSet<String> = objects.iter().copied().flat_map(of_object).map(str::to_owned).collect();
            let value = wanted.first().filter(|_| !wanted.iter().any(|value| known.contains(value)))?;
            Some(Unknown { list, value: value.clone(), known })
        })
    }
}

/// Returns the values of an object that each list of a selector is about, in their order. The name of a component is also that of its copies.
fn values(rendered: &Rendered) -> [Vec<&str>; 6] {
    let text = |pointer: &str| rendered.object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let oam_type = if rendered.of_trait.is_some() { "TRAIT" } else { "WORKLOAD" };
    [
        vec![rendered.component.as_str(), rendered.written.as_str()],
        vec![rendered.type_.as_str()],
        vec![oam_type],
        rendered.of_trait.as_deref().into_iter().collect(),
        vec![text("/kind")],
        vec![text("/metadata/name")],
    ]
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = self.lists().into_iter().filter(|(_, values)| !values.is_empty());
        let words: Vec<String> = given.map(|(name, values)| format!("{name} {}", values.join(", "))).collect();
        f.write_str(&words.join(" and "))
    }
}

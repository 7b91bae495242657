//! Does another client write to objects of this instance?

use std::collections::BTreeSet;
use std::fmt;

use crate::doctor::facts::Foreign;
use crate::doctor::line::{Level, Verdict, few};

/// The objects with fields of others.
pub(super) struct Writers<'a>(&'a [Foreign]);

/// Judges who owns the fields of our objects.
pub(super) fn foreign(all: &[Foreign]) -> Writers<'_> {
    Writers(all)
}

impl fmt::Display for Writers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return write!(f, "no one else has written to the objects of this instance");
        }
        let managers: BTreeSet<&str> = self.0.iter().flat_map(|object| &object.managers).map(String::as_str).collect();
        let objects = few(self.0.iter().map(|object| object.object.as_str()));
        write!(f, "{} also wrote to {objects}", few(managers))
    }
}

impl Verdict for Writers<'_> {
    fn level(&self) -> Level {
        if self.0.is_empty() { Level::Ok } else { Level::Warn }
    }

    fn fix(&self) -> Option<String> {
        (!self.0.is_empty()).then(|| {
            "change these objects in the repository instead; `kubectl get --show-managed-fields -o yaml` shows the fields"
                .to_owned()
        })
    }
}

//! Does the hub grant what the roles of the repository need?

use std::fmt;

use crate::doctor::facts::Grant;
use crate::doctor::line::{Level, Verdict, few};

/// The permissions that are missing.
pub(super) struct Ungranted<'a> {
    missing: Vec<&'a str>,
    checked: usize,
}

/// Judges the answers of the hub.
pub(super) fn roles(all: &[Grant]) -> Ungranted<'_> {
    let missing = all.iter().filter(|grant| !grant.is_allowed).map(|grant| grant.what.as_str()).collect();
    Ungranted { missing, checked: all.len() }
}

impl fmt::Display for Ungranted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { missing, checked } = self;
        match (checked, missing.len()) {
            (0, _) => write!(f, "the roles of the repository need no further permission"),
            (_, 0) => write!(f, "all {checked} permissions that the roles of the repository need are granted"),
            (_, count) => write!(
                f,
                "{count} of {checked} permissions that the roles of the repository need are missing: {}",
                few(missing.iter().copied())
            ),
        }
    }
}

impl Verdict for Ungranted<'_> {
    fn level(&self) -> Level {
        if self.missing.is_empty() { Level::Ok } else { Level::Fail }
    }

    fn fix(&self) -> Option<String> {
        (!self.missing.is_empty())
            .then(|| "add the rules that `tidegate validate` prints to the ClusterRole of the daemon".to_owned())
    }
}

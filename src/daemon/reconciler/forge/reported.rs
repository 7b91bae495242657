//! What was reported to the forge.

use std::collections::BTreeMap;

use super::record::Written;
use tidegate_forge::{Error, Result};

/// What was reported. Everything that does not depend on an error was still reported, unless no request would succeed.
#[derive(Debug)]
pub(super) struct Reported {
    /// The full plans, for the journal.
    pub(super) full: BTreeMap<u64, String>,
    /// What the records of pull requests take over.
    pub(super) written: Vec<Written>,
    /// The first error.
    pub(super) outcome: Result<()>,
}

impl Default for Reported {
    fn default() -> Self {
        Self { full: BTreeMap::new(), written: Vec::new(), outcome: Ok(()) }
    }
}

impl Reported {
    pub(super) fn fail(&mut self, error: Error) {
        if self.outcome.is_ok() {
            self.outcome = Err(error);
        }
    }
}

//! The cache of compiled regular expressions.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use tidegate_go::regexp::Pattern;

use super::meter::{EvalError, Meter};

/// Maximum number of cached expressions.
const KEPT: usize = 64;

/// The cached expressions, by source.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    kept: HashMap<String, Option<Rc<Pattern>>>,
    /// The expressions used in the current evaluation.
    used: HashSet<String>,
}

impl Patterns {
    /// Starts another evaluation. The cache saves time but does not change what is charged: the result of an evaluation does not
    /// depend on earlier ones.
    pub(crate) fn begin(&mut self) {
        self.used.clear();
    }

    /// Returns an expression to search for in a string; `None` if it is invalid.
    ///
    /// # Errors
    /// [`EvalError::Cancelled`] if the search can take too long.
    pub(crate) fn get(
        &mut self,
        pattern: &str,
        text: &str,
        meter: &mut Meter,
    ) -> Result<Option<Rc<Pattern>>, EvalError> {
        if !self.used.contains(pattern) {
            meter.work(500 + 64 * pattern.len() as u64)?;
            self.used.insert(pattern.to_owned());
        }
        if !self.kept.contains_key(pattern) {
            if self.kept.len() >= KEPT {
                self.kept.clear();
            }
            self.kept.insert(pattern.to_owned(), Pattern::compile(pattern).ok().map(Rc::new));
        }
        let found = self.kept.get(pattern).cloned().flatten();
        if let Some(found) = &found {
            meter.work(found.size.saturating_mul(text.len() as u64 + 1) / 8)?;
        }
        Ok(found)
    }
}

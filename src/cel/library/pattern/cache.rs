//! Compiled regular expressions and their cache.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use regex::{Regex, RegexBuilder};

use super::read::translate;
use crate::run::{Fault, Meter};

/// Maximum size of a compiled expression, in bytes.
const MAX_BYTES: usize = 10 << 20;
/// Maximum nesting of groups for `regex`. Expressions that get here are less nested.
const MAX_NESTING: u32 = 4_000;
/// Maximum number of cached expressions.
const KEPT: usize = 64;

/// A regular expression.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) regex: Regex,
    /// Approximate number of instructions.
    size: u64,
}

impl Pattern {
    /// Compiles an expression.
    ///
    /// # Errors
    /// The error message.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let (translated, size) = translate(text).map_err(|problem| format!("error parsing regexp: {problem}"))?;
        let built = RegexBuilder::new(&translated).size_limit(MAX_BYTES).nest_limit(MAX_NESTING).build();
        let regex = built.map_err(|_| format!("error parsing regexp: expression too large: `{text}`"))?;
        Ok(Self { regex, size })
    }
}

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
    /// [`Fault::Cancelled`] if the search can take too long.
    pub(crate) fn get(&mut self, pattern: &str, text: &str, meter: &mut Meter) -> Result<Option<Rc<Pattern>>, Fault> {
        if !self.used.contains(pattern) {
            meter.work(500 + 64 * pattern.len() as u64)?;
            self.used.insert(pattern.to_owned());
        }
        if !self.kept.contains_key(pattern) {
            if self.kept.len() >= KEPT {
                self.kept.clear();
            }
            self.kept.insert(pattern.to_owned(), Pattern::read(pattern).ok().map(Rc::new));
        }
        let found = self.kept.get(pattern).cloned().flatten();
        if let Some(found) = &found {
            meter.work(found.size.saturating_mul(text.len() as u64 + 1) / 8)?;
        }
        Ok(found)
    }
}

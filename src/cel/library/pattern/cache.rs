//! Regular expressions that are ready for use.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use regex::{Regex, RegexBuilder};

use super::read::translate;
use crate::run::{Fault, Meter};

/// How large a compiled expression may become, in bytes.
const MAX_BYTES: usize = 10 << 20;
/// How deep groups may lie in one another for the library. What comes here is flatter.
const MAX_NESTING: u32 = 4_000;
/// The most expressions that are kept.
const KEPT: usize = 64;

/// A regular expression.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) regex: Regex,
    /// Of how many instructions it consists, about.
    size: u64,
}

impl Pattern {
    /// Reads an expression.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let (translated, size) = translate(text).map_err(|problem| format!("error parsing regexp: {problem}"))?;
        let built = RegexBuilder::new(&translated).size_limit(MAX_BYTES).nest_limit(MAX_NESTING).build();
        let regex = built.map_err(|_| format!("error parsing regexp: expression too large: `{text}`"))?;
        Ok(Self { regex, size })
    }
}

/// The expressions that were used, by their texts.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    kept: HashMap<String, Option<Rc<Pattern>>>,
    /// Those that were used in the evaluation that is under way.
    used: HashSet<String>,
}

impl Patterns {
    /// Begins another evaluation. What is kept saves time, but nothing of what is charged: the outcome of an evaluation does not
    /// depend on those before it.
    pub(crate) fn begin(&mut self) {
        self.used.clear();
    }

    /// Returns an expression that is to be looked for in a text; `None` if it is none.
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

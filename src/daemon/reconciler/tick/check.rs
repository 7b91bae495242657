//! The checker in the loop: it sees the input of each plan, and ends the loop if a rule was broken.

use std::fmt;

use tidegate_checker::{Checker, Observation, Violation};

/// The rules that were broken. Displays as one line.
#[derive(Debug, PartialEq, Eq)]
pub struct Breach(pub Vec<Violation>);

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .enumerate()
            .try_for_each(|(at, violation)| write!(f, "{}{violation}", if at == 0 { "" } else { "; " }))
    }
}

impl std::error::Error for Breach {}

/// A checker that can be switched off.
#[derive(Debug)]
pub(crate) struct Check {
    checker: Option<Checker>,
    /// How often the hub had gone back in time at the last check.
    rewinds: u64,
}

impl Check {
    /// Creates a checker, or none if it is off.
    pub(crate) fn new(is_on: bool) -> Self {
        Self { checker: is_on.then(Checker::new), rewinds: 0 }
    }

    /// Checks the observation from which a plan is about to be made. `rewinds` is how often the hub has gone back in time, and `is_late` is
    /// `true` if the hub was not observed for a while until now.
    ///
    /// Returns `true` if the hub has gone back since the last check. The rules are about what happens between two
    /// observations of the same history, so the checker starts again from this observation then. So it does after an absence, in which
    /// another daemon may have carried out plans of its own.
    ///
    /// # Errors
    /// [`Breach`] if a rule was broken since the last check.
    pub(crate) fn look(&mut self, observation: &Observation<'_>, rewinds: u64, is_late: bool) -> Result<bool, Breach> {
        let is_other_history = std::mem::replace(&mut self.rewinds, rewinds) != rewinds;
        if is_other_history || is_late {
            self.checker = self.checker.take().map(|_| Checker::new());
        }
        let violations = self.checker.as_mut().map(|checker| checker.check(observation)).unwrap_or_default();
        for violation in &violations {
            tracing::error!(%violation, "a rule was broken");
        }
        if violations.is_empty() { Ok(is_other_history) } else { Err(Breach(violations)) }
    }
}

//! The checker in the loop: it sees what each plan is made from, and ends the loop if a rule was broken.

use std::fmt;

use crate::checker::{Checker, Observation, Violation};

/// Rules that were broken. Displays as one line for each.
#[derive(Debug, PartialEq, Eq)]
pub struct Breach(pub Vec<Violation>);

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|violation| write!(f, "\n  {violation}"))
    }
}

impl std::error::Error for Breach {}

/// A checker that may be switched off.
#[derive(Debug)]
pub struct Check(Option<Checker>);

impl Check {
    /// Builds a checker, or nothing.
    pub fn new(is_on: bool) -> Self {
        Self(is_on.then(Checker::new))
    }

    /// Looks at what a plan is about to be made from.
    ///
    /// # Errors
    /// [`Breach`] if a rule was broken since the last look.
    pub fn look(&mut self, observation: &Observation<'_>) -> Result<(), Breach> {
        let violations = self.0.as_mut().map(|checker| checker.check(observation)).unwrap_or_default();
        for violation in &violations {
            tracing::error!(%violation, "a rule was broken");
        }
        if violations.is_empty() { Ok(()) } else { Err(Breach(violations)) }
    }
}

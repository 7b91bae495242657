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
    /// The view of the hub at the last check.
    view: View,
}

/// What an observation of the hub is a part of. Two observations can be compared only if they are parts of the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct View {
    /// How often the hub has gone back in time.
    pub rewinds: u64,
    /// Whether all works are watched, and not only those of add-ons.
    pub has_all_works: bool,
}

impl Check {
    /// Creates a checker, or none if it is off.
    pub(crate) fn new(is_on: bool) -> Self {
        Self { checker: is_on.then(Checker::new), view: View::default() }
    }

    /// Checks the observation from which a plan is about to be made. `is_late` is `true` if the hub was not observed for a while until now.
    ///
    /// Returns `true` if the hub has gone back since the last check. The rules are about what happens between two
    /// observations of the same history, so the checker starts again from this observation then. So it does after an absence, in which
    /// another daemon may have carried out plans of its own, and once works are watched that were not watched before.
    ///
    /// # Errors
    /// [`Breach`] if a rule was broken since the last check.
    pub(crate) fn look(&mut self, observation: &Observation<'_>, view: View, is_late: bool) -> Result<bool, Breach> {
        let before = std::mem::replace(&mut self.view, view);
        if before != view || is_late {
            self.checker = self.checker.take().map(|_| Checker::new());
        }
        let violations = self.checker.as_mut().map(|checker| checker.check(observation)).unwrap_or_default();
        for violation in &violations {
            tracing::error!(%violation, "a rule was broken");
        }
        if violations.is_empty() { Ok(before.rewinds != view.rewinds) } else { Err(Breach(violations)) }
    }
}

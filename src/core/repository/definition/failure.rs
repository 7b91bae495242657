//! Why a definition cannot be rendered.

use std::fmt;

use tidegate_model::diagnostic::Place;

/// Why a definition cannot be rendered with the parameters of a component or trait. Displays as a sentence that starts with the place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) struct Failure {
    /// The place in the definition.
    pub(super) place: Place,
    /// What is wrong there, and what to do.
    pub(super) why: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.why)
    }
}

/// Maximum length of an expression in a message, in characters.
const MAX_SHOWN: usize = 100;

/// Returns an expression as a message shows it: on one line, and not too long.
pub(super) fn shown(expression: &str) -> String {
    let line = expression.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}...", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

impl Failure {
    pub(super) fn new(place: &Place, why: impl Into<String>) -> Self {
        Self { place: place.clone(), why: why.into() }
    }
}

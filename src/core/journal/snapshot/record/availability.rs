//! What a condition about availability reports.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a condition about availability reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Availability {
    /// The condition is `True`.
    #[default]
    Available,
    /// The condition is `False`.
    Unavailable,
    /// The condition is `Unknown`.
    Unknown,
    /// The condition does not exist.
    Unreported,
}

impl Availability {
    /// Returns `true` if the condition is `True`.
    pub fn is_available(&self) -> bool {
        *self == Self::Available
    }

    /// Returns the status of the condition; `None` if it does not exist.
    pub fn status(self) -> Option<&'static str> {
        match self {
            Self::Available => Some("True"),
            Self::Unavailable => Some("False"),
            Self::Unknown => Some("Unknown"),
            Self::Unreported => None,
        }
    }
}

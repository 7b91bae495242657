//! Errors of requests to forges, and whether a retry can help.

use tidegate_model::time::Timestamp;

/// A failed request to a forge. No message contains a token or the query of an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The forge refuses requests for now. No request is sent before that moment.
    #[error("the forge limits requests: none is sent before {until}")]
    Limited {
        /// When requests are sent again.
        until: Timestamp,
    },
    /// The budget for this hour is used up. The operator may raise it.
    #[error(
        "the budget of requests for this hour is used up: the next one is sent after {until}; raise `budget` if that is too slow"
    )]
    Budget {
        /// When the next request fits into the budget.
        until: Timestamp,
    },
    /// The forge does not accept the token, or does not allow the request. The operator fixes the token.
    #[error("{0}")]
    Denied(String),
    /// What was asked for does not exist, or the token may not see it.
    #[error("{0}")]
    NotFound(String),
    /// What was asked for is in a state that does not allow it. A later retry may help.
    #[error("{0}")]
    Conflict(String),
    /// The forge, or this client, refuses the content of a request. A retry does not help.
    #[error("{what}: {why}")]
    Invalid {
        /// What was to be done.
        what: String,
        /// What is wrong.
        why: String,
    },
    /// The forge does not have this feature.
    #[error("{0}")]
    Unsupported(String),
    /// The forge cannot be reached, answers too late, or has an internal error. A later retry may help.
    #[error("{0}")]
    Unreachable(String),
    /// The answer is not what the API of the forge promises. Nothing may be concluded from it.
    #[error("{0}")]
    Garbage(String),
    /// A setting is wrong. The operator fixes it.
    #[error("{0}")]
    Settings(String),
}

/// The result of a request to a forge.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Returns `true` if the same request may succeed later without anyone changing anything.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Limited { .. } | Self::Budget { .. } | Self::Conflict(_) | Self::Unreachable(_) => true,
            Self::Denied(_) | Self::NotFound(_) | Self::Invalid { .. } => false,
            Self::Unsupported(_) | Self::Garbage(_) | Self::Settings(_) => false,
        }
    }

    /// Returns `true` if other requests would fail now as well.
    pub fn is_general(&self) -> bool {
        matches!(self, Self::Limited { .. } | Self::Budget { .. } | Self::Unreachable(_))
    }

    /// Returns when requests are sent again, if they are held back.
    pub fn until(&self) -> Option<Timestamp> {
        match self {
            Self::Limited { until } | Self::Budget { until } => Some(*until),
            _ => None,
        }
    }

    /// Applies a function to the text of the error, for example to remove secrets.
    pub(crate) fn map_text(self, change: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Limited { .. } | Self::Budget { .. } => self,
            Self::Denied(text) => Self::Denied(change(&text)),
            Self::NotFound(text) => Self::NotFound(change(&text)),
            Self::Conflict(text) => Self::Conflict(change(&text)),
            Self::Invalid { what, why } => Self::Invalid { what: change(&what), why: change(&why) },
            Self::Unsupported(text) => Self::Unsupported(change(&text)),
            Self::Unreachable(text) => Self::Unreachable(change(&text)),
            Self::Garbage(text) => Self::Garbage(change(&text)),
            Self::Settings(text) => Self::Settings(change(&text)),
        }
    }
}

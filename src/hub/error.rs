//! What can go wrong at the hub, in words for the person who can fix it.

use std::collections::BTreeSet;
use std::time::Duration;

use kube::core::Status;

use tidegate_model::object::GroupKind;

/// Why the hub could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The hub lacks a kind without which nothing works. The operator of the hub installs it.
    #[error(
        "the hub does not serve {kind}{}: install Open Cluster Management on it (`clusteradm init`), or its CRDs alone \
         (`tidegate crds | kubectl apply --server-side -f -`)",
        version.as_ref().map(|v| format!(" in version {v}")).unwrap_or_default()
    )]
    MissingKind {
        /// The kind.
        kind: GroupKind,
        /// The version that is needed; `None` where any will do.
        version: Option<&'static str>,
    },
    /// The hub does not serve the kind of a declared object. The author of the declaration, or the operator of the hub, fixes it.
    #[error("the hub does not serve {kind}: its CRD is not installed")]
    Unserved {
        /// The kind.
        kind: GroupKind,
    },
    /// The hub answered and said no: forbidden, invalid, or out of order for longer than was waited for.
    #[error("{what} was refused with {code}: {message}")]
    Refused {
        /// What was tried.
        what: String,
        /// The HTTP status.
        code: u16,
        /// The reason as Kubernetes gives it, such as `Forbidden`; may be empty.
        reason: String,
        /// The message of the hub.
        message: String,
        /// The plural name of the kind that the answer is about; may be empty.
        about: String,
    },
    /// The hub could not be reached. The network or the hub is down; trying again can help.
    #[error("{what} did not reach the hub")]
    Unreachable {
        /// What was tried.
        what: String,
        /// Why.
        #[source]
        source: kube::Error,
    },
    /// The hub did not answer in time. Trying again can help.
    #[error("{what} got no answer within {} s", within.as_secs())]
    TimedOut {
        /// What was tried.
        what: String,
        /// How long was waited.
        within: Duration,
    },
    /// The hub answered with something that is no Kubernetes object, or a request could not be put into words.
    #[error("{what} did not go as Kubernetes says")]
    Protocol {
        /// What was tried.
        what: String,
        /// Why.
        #[source]
        source: kube::Error,
    },
    /// An object to write has no `apiVersion`, `kind` or `metadata.name`.
    #[error("an object to write has no apiVersion, kind or metadata.name")]
    NoIdentity,
    /// A name or namespace that cannot stand in a path. Nothing was sent.
    #[error("{name:?} cannot be the name or namespace of an object")]
    BadName {
        /// The text.
        name: String,
    },
    /// A status to write right after its object, which nothing in the lane has written. A fault of the plan.
    #[error("{what} names no version of the object and follows no write of it")]
    NoPrecondition {
        /// What was tried.
        what: String,
    },
    /// The first lists of some kinds have not come in.
    #[error("the hub has not listed {} in time", names(missing))]
    NotSynced {
        /// The kinds.
        missing: BTreeSet<GroupKind>,
    },
}

impl Error {
    /// Wraps an error of the client with what was tried.
    pub(super) fn of(what: impl Into<String>, source: kube::Error) -> Self {
        let what = what.into();
        match source {
            kube::Error::Api(status) => Self::refused(what, *status),
            kube::Error::HyperError(_) | kube::Error::Service(_) | kube::Error::ReadEvents(_) => {
                Self::Unreachable { what, source }
            }
            source => Self::Protocol { what, source },
        }
    }

    /// Wraps the status with which the hub refused.
    pub(super) fn refused(what: impl Into<String>, status: Status) -> Self {
        let Status { code, reason, message, details, .. } = status;
        Self::Refused {
            what: what.into(),
            code,
            reason,
            message,
            about: details.map(|details| details.kind).unwrap_or_default(),
        }
    }

    /// Returns `true` if trying the same again can help.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Refused { code, .. } => *code == 429 || *code >= 500,
            Self::Unreachable { .. } | Self::TimedOut { .. } => true,
            Self::MissingKind { .. }
            | Self::Unserved { .. }
            | Self::Protocol { .. }
            | Self::NoIdentity
            | Self::BadName { .. }
            | Self::NoPrecondition { .. }
            | Self::NotSynced { .. } => false,
        }
    }

    /// Returns `true` if somebody else has written or created the object meanwhile.
    pub fn is_conflict(&self) -> bool {
        matches!(self, Self::Refused { code: 409, .. })
    }
}

fn names(kinds: &BTreeSet<GroupKind>) -> String {
    kinds.iter().map(GroupKind::to_string).collect::<Vec<_>>().join(", ")
}

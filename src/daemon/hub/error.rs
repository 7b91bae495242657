//! Errors of the hub, with messages for the person who can fix them.

use std::collections::BTreeSet;
use std::time::Duration;

use kube::core::Status;

use super::guard::Unsent;
use tidegate_model::object::{GroupKind, ObjectKey};

/// Why the hub could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The hub lacks a required kind. The operator of the hub has to install it.
    #[error(
        "the hub does not serve {kind}{}: install Open Cluster Management on it (`clusteradm init`), or its CRDs alone \
         (`tidegate crds | kubectl apply --server-side -f -`)",
        version.as_ref().map(|v| format!(" in version {v}")).unwrap_or_default()
    )]
    MissingKind {
        /// The kind.
        kind: GroupKind,
        /// The required version; `None` if any version is good enough.
        version: Option<&'static str>,
    },
    /// The hub does not serve the kind of a declared object. The author of the declaration or the operator of the hub has
    /// to fix it.
    #[error("the hub does not serve {kind}: its CRD is not installed")]
    Unserved {
        /// The kind.
        kind: GroupKind,
    },
    /// The hub refused the request: it is forbidden or invalid, or the hub was out of order during all attempts.
    #[error("{what} was refused with {code}: {message}")]
    Refused {
        /// Description of the request.
        what: String,
        /// The HTTP status.
        code: u16,
        /// The Kubernetes reason, such as `Forbidden`; may be empty.
        reason: String,
        /// The message of the hub.
        message: String,
        /// The plural name of the kind that the answer is about; may be empty.
        about: String,
    },
    /// The hub could not be reached. The network or the hub is down; a retry can help.
    #[error("{what} failed: the hub cannot be reached")]
    Unreachable {
        /// Description of the request.
        what: String,
        /// The cause.
        #[source]
        source: kube::Error,
    },
    /// The hub did not answer in time. A retry can help.
    #[error("{what} failed: no answer within {} s", within.as_secs())]
    TimedOut {
        /// Description of the request.
        what: String,
        /// The timeout.
        within: Duration,
    },
    /// The hub answered with something that is not a Kubernetes object, or the request could not be built.
    #[error("{what} failed: invalid request or unexpected response")]
    Protocol {
        /// Description of the request.
        what: String,
        /// The cause.
        #[source]
        source: kube::Error,
    },
    /// An object to write has no `apiVersion`, `kind` or `metadata.name`.
    #[error("an object to write has no apiVersion, kind or metadata.name")]
    NoIdentity,
    /// The hub has a declared object without the mark of any instance, and its kind is not one of OCM's.
    #[error(
        "another client has put it there, and it has the mark of no instance, so it is not changed: remove it from the repository, or let \
         the operator add {} to [adopt] objects in the file of the daemon (--config)",
        key.to_inline_table()
    )]
    Unmarked {
        /// The object.
        key: ObjectKey,
    },
    /// The name or namespace cannot be part of a path. Nothing was sent.
    #[error("{name:?} cannot be the name or namespace of an object")]
    BadName {
        /// The invalid name.
        name: String,
    },
    /// A status write depends on an earlier write of its object in the lane, but the lane does not contain that write. A bug in
    /// the plan.
    #[error("{what}: no resourceVersion given, and no earlier write in this lane provides one")]
    NoPrecondition {
        /// Description of the request.
        what: String,
    },
    /// This daemon may not write to the hub now, because another one may have taken its place. Nothing was sent.
    #[error("{what}: not sent, because this daemon may not write to the hub now")]
    Unsent {
        /// Description of the request.
        what: String,
    },
    /// The first lists of some kinds have not arrived.
    #[error("the hub has not listed {} in time", names(missing))]
    NotSynced {
        /// The kinds.
        missing: BTreeSet<GroupKind>,
    },
}

impl Error {
    /// Wraps an error of the client with a description of the request.
    pub(super) fn of(what: impl Into<String>, source: kube::Error) -> Self {
        let what = what.into();
        match source {
            kube::Error::Api(status) => Self::refused(what, *status),
            kube::Error::Service(cause) if cause.is::<Unsent>() => Self::Unsent { what },
            kube::Error::HyperError(_) | kube::Error::Service(_) | kube::Error::ReadEvents(_) => {
                Self::Unreachable { what, source }
            }
            source => Self::Protocol { what, source },
        }
    }

    /// Wraps the status with which the hub refused a request.
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

    /// Returns `true` if a retry of the same request can help.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Refused { code, .. } => *code == 429 || *code >= 500,
            Self::Unreachable { .. } | Self::TimedOut { .. } => true,
            Self::MissingKind { .. }
            | Self::Unserved { .. }
            | Self::Protocol { .. }
            | Self::NoIdentity
            | Self::Unmarked { .. }
            | Self::BadName { .. }
            | Self::NoPrecondition { .. }
            | Self::Unsent { .. }
            | Self::NotSynced { .. } => false,
        }
    }

    /// Returns `true` if it is not known what the object is like after this error: the write may have been made, or others have changed or
    /// deleted the object.
    pub fn leaves_doubt(&self) -> bool {
        match self {
            // A hub that asks for fewer requests has not looked at the write.
            Self::Refused { code, .. } => matches!(code, 404 | 409) || *code >= 500,
            Self::Protocol { .. } => true,
            _ => self.is_transient(),
        }
    }

    /// Returns `true` if the hub does not have the object.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Refused { code: 404, .. })
    }

    /// Returns `true` if another client has written or created the object in the meantime.
    pub fn is_conflict(&self) -> bool {
        matches!(self, Self::Refused { code: 409, .. })
    }
}

fn names(kinds: &BTreeSet<GroupKind>) -> String {
    kinds.iter().map(GroupKind::to_string).collect::<Vec<_>>().join(", ")
}

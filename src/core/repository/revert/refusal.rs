//! Why an add-on cannot be taken back.

use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;

/// Why an add-on cannot be taken back to an earlier revision by its files alone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is what it was then.
    #[error("{addon} has digest {} already", .digest.short())]
    Same {
        /// The add-on.
        addon: UnitName,
        /// Its digest.
        digest: Digest,
    },
    /// The earlier revision does not mean what it meant then.
    #[error(
        "the revision of that rollout does not have digest {} for {addon} any more, but {found}: this version of Tidegate reads it differently, \
         or the daemon renders another overlay (--overlay); use git revert",
        .digest.short()
    )]
    Reading {
        /// The add-on.
        addon: UnitName,
        /// The digest that it had.
        digest: Digest,
        /// What it has now.
        found: String,
    },
    /// The settings have changed since.
    #[error(
        "the settings that change rollouts are others than at that rollout, so {addon} cannot have digest {} again; take tidegate.toml back \
         too, with git revert, which changes all add-ons",
        .digest.short()
    )]
    Settings {
        /// The add-on.
        addon: UnitName,
        /// The digest that it had.
        digest: Digest,
    },
    /// More would change than the add-on.
    #[error("{addon} shares files or objects with others, which would change too: {others}; change {files} by hand", files = .files.join(", "))]
    Shared {
        /// The add-on.
        addon: UnitName,
        /// What else would change.
        others: String,
        /// The files that would have to change.
        files: Vec<String>,
    },
    /// The result would have errors.
    #[error("the result would have errors: {}; use git revert, and fix them", .complaints.join("; "))]
    Errors {
        /// The first errors.
        complaints: Vec<String>,
    },
}

//! Why a revision is not published, listed or rendered.

use tidegate_model::digest::Digest;
use tidegate_model::name::ApplicationName;
use tidegate_model::near::remedy;

/// Why a revision is not published, listed or rendered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Applications are not read.
    #[error("applications are switched off; add [applications] enabled = true to tidegate.toml")]
    Off,
    /// The files at the path of the settings cannot be read.
    #[error("the repository cannot be read: {0}; fix that first")]
    Unreadable(String),
    /// There is no such application.
    #[error("the repository has no {}; {}", .application.as_str(), remedy(.application.as_str(), .known.iter().map(String::as_str)))]
    NoApplication {
        /// The application.
        application: ApplicationName,
        /// Those that it has.
        known: Vec<String>,
    },
    /// There is no such revision.
    #[error("revision {name:?} does not exist in namespace {namespace}; {}", published(name, .known))]
    NoRevision {
        /// The namespace.
        namespace: String,
        /// The name.
        name: String,
        /// Those of the namespace.
        known: Vec<String>,
    },
    /// The application or the revision has errors.
    #[error("{subject} has errors, so what it renders to is not known: {}", .errors.join("; "))]
    Errors {
        /// The application or revision.
        subject: String,
        /// The first errors.
        errors: Vec<String>,
    },
    /// The name is not a name of a revision.
    #[error(
        "{name:?} is not a name of a revision: write at most 63 lower-case letters, digits and '-', with a letter or digit at both ends"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// The name is taken.
    #[error("revision {name:?} exists at {place} with digest {}, and the application has {}; choose another name", .existing.short(), .digest.short())]
    Taken {
        /// The name.
        name: String,
        /// Where it is.
        place: String,
        /// Its digest.
        existing: Digest,
        /// The digest of the application.
        digest: Digest,
    },
    /// The repository has another file at the path of the new one.
    #[error("{file} exists already, and is not this revision; rename it, or choose another name with --as")]
    File {
        /// The path.
        file: String,
    },
}

/// Returns what to do about the name of a revision that does not exist.
fn published(name: &str, known: &[String]) -> String {
    match known {
        [] => "publish it with `tidegate app publish`".to_owned(),
        known => remedy(name, known.iter().map(String::as_str)),
    }
}

//! Why a fact is not known.

use std::fmt;

/// A fact, or the reason why it is not known.
pub type Known<T> = Result<T, Unknown>;

/// Why a fact is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// The hub does not answer, or no hub is named.
    NoHub,
    /// The configuration file cannot be used.
    NoConfiguration,
    /// The config repository cannot be read, or no repository is named.
    NoSource,
    /// The hub refused to list or read something for a reason other than permissions.
    NotListed {
        /// What could not be read, and why.
        why: String,
    },
    /// The hub does not serve it.
    NotServed {
        /// The resource with its group.
        resource: String,
    },
    /// The permission to read it is missing.
    Forbidden {
        /// The verb.
        verb: &'static str,
        /// The resource with its group.
        resource: String,
    },
    /// A file cannot be read.
    Unreadable {
        /// Which file, and why it cannot be read.
        why: String,
    },
    /// The hub did not send the time.
    NoDate,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHub => write!(f, "not checked: the hub cannot be used"),
            Self::NoConfiguration => write!(f, "not checked: the configuration cannot be used"),
            Self::NoSource => write!(f, "not checked: the config repository cannot be read"),
            Self::NotListed { why } | Self::Unreadable { why } => write!(f, "not checked: {why}"),
            Self::Forbidden { verb, resource } => write!(f, "not checked: `{verb}` on {resource} is not allowed"),
            Self::NotServed { resource } => write!(f, "not checked: the hub does not serve {resource}"),
            Self::NoDate => write!(f, "not checked: the answer of the hub has no date"),
        }
    }
}

//! The config repository, its journal, the keys of both, and the receivers of notifications.

use super::Trouble;

/// The followed reference of the config repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The address.
    pub address: String,
    /// The reference.
    pub reference: String,
    /// The abbreviated commit; `None` if nothing matches the reference.
    pub commit: Option<String>,
}

/// The branch of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journal {
    /// Its name.
    pub branch: String,
    /// Whether it exists.
    pub exists: bool,
    /// Whether the remote accepts a push with these credentials. A push that changes nothing shows it.
    pub push: Result<(), Trouble>,
}

/// A test message to a receiver of notifications.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestMessage {
    /// The receiver, for people.
    pub receiver: String,
    /// Why the receiver did not accept the message, if it did not.
    pub answer: Result<(), String>,
}

/// A key or a set of keys that the configuration names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keys {
    /// The configuration names no keys.
    None,
    /// They can be used.
    Usable,
    /// They cannot be used.
    Unusable(Trouble),
}

//! The hub as a whole, and what keeps something from working.

/// Something that does not work, with the advice of the part that noticed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// What does not work, and why.
    pub why: String,
    /// How to fix it.
    pub fix: String,
}

/// The hub, if it answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its address.
    pub address: String,
    /// The version of Kubernetes.
    pub version: String,
}

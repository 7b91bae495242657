//! What is requested from a remote, and what the answer to a push is: plain values, however the remote is reached.

use std::num::NonZeroU32;

use gix::ObjectId;
use gix::refs::FullName;

/// How much history to fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum History {
    /// All commits since those already present; only the tip if no commits are present.
    SinceLast,
    /// The whole history.
    Complete,
}

/// How much of the history of the requested commits to transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// All commits that are missing.
    Missing,
    /// This number of commits from each requested commit on, and those below them that the mirror already has.
    Commits(NonZeroU32),
}

impl Depth {
    /// The requested commits, without their history.
    pub(crate) const ONE: Self = Self::Commits(NonZeroU32::MIN);

    /// A depth larger than any history. The protocol's largest number cannot be used: it means "unshallow", also for refs that
    /// were not requested.
    pub(crate) const FULL: Self = Self::Commits(match NonZeroU32::new(0x7fff_fffe) {
        Some(depth) => depth,
        None => NonZeroU32::MAX,
    });
}

/// A ref to fetch.
pub(crate) struct RefRequest {
    /// Its full name on the remote.
    pub(crate) name: FullName,
    /// Its full name in the mirror.
    pub(crate) local_name: FullName,
}

impl RefRequest {
    pub(crate) fn new(name: FullName) -> Self {
        let text = name.as_bstr().to_string();
        let local_name = match text.strip_prefix("refs/heads/") {
            Some(branch) => format!("refs/remotes/origin/{branch}"),
            None => format!("refs/tidegate/{}", text.strip_prefix("refs/").unwrap_or(&text)),
        };
        let local_name = FullName::try_from(local_name.as_str()).expect("a valid name is valid below another folder");
        Self { name, local_name }
    }
}

/// Whether the mirror may have new objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Received {
    Nothing,
    Objects,
}

/// Returns `true` if a name is one of those that patterns such as `refs/tags/*` describe.
pub(crate) fn matches(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => name == pattern,
    })
}

/// A ref update.
pub(crate) struct Update {
    /// The full name of the ref on the remote.
    pub(crate) name: FullName,
    /// The current value on the remote; `None` if the ref must not exist.
    pub(crate) expect: Option<ObjectId>,
    /// The new value.
    pub(crate) new: ObjectId,
}

/// The result of an update on the remote.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// The ref has another value, or does not exist.
    Stale(Option<ObjectId>),
    /// The remote's rules forbid the update.
    Refused {
        reason: String,
        messages: String,
    },
}

impl Update {
    /// Returns the result without an update if the current value of the ref decides it.
    pub(crate) fn settled(&self, now: Option<ObjectId>) -> Option<Outcome> {
        match now {
            now if now == Some(self.new) => Some(Outcome::Done),
            now if now != self.expect => Some(Outcome::Stale(now)),
            _ => None,
        }
    }
}

//! When a key is to be trusted.

use tidegate_model::time::Timestamp;

use super::verdict::{Fingerprint, Reason};

/// The time in which a key is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Validity {
    /// The first instant; `None` if it always was.
    pub(super) from: Option<Timestamp>,
    /// The last instant; `None` if it does not end.
    pub(super) until: Option<Timestamp>,
}

impl Validity {
    /// Returns why a key is not valid at an instant. Both ends belong to the time.
    pub(super) fn check(self, key: &Fingerprint, signer: &str, at: Timestamp) -> Result<(), Reason> {
        let (key, signer) = (key.clone(), signer.to_owned());
        match (self.from, self.until) {
            (Some(from), _) if at < from => Err(Reason::NotYetValid { key, signer, from }),
            (_, Some(until)) if at > until => Err(Reason::Expired { key, signer, until }),
            _ => Ok(()),
        }
    }
}

//! The validity periods of keys.

use tidegate_model::time::Timestamp;

use super::verdict::{Fingerprint, Reason};

/// The period in which a key is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Validity {
    /// The first valid instant; `None` if unlimited.
    pub(crate) from: Option<Timestamp>,
    /// The last valid instant; `None` if unlimited.
    pub(crate) until: Option<Timestamp>,
}

impl Validity {
    /// Returns an error if a key is not valid at an instant. Both ends are inclusive.
    pub(crate) fn check(self, key: &Fingerprint, signer: &str, at: Timestamp) -> Result<(), Reason> {
        let (key, signer) = (key.clone(), signer.to_owned());
        match (self.from, self.until) {
            (Some(from), _) if at < from => Err(Reason::NotYetValid { key, signer, from }),
            (_, Some(until)) if at > until => Err(Reason::Expired { key, signer, until }),
            _ => Ok(()),
        }
    }
}

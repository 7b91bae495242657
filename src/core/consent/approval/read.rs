//! Reads everything that a message says about approval.

use super::merge::{self, Merge};
use super::revert::{self, Revert};
use super::trailer::{Trailer, trailers};

/// What the message of a commit says about its approval.
///
/// # Shape
/// People are listed as written, mostly `Name <address>`, in the order of the message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Approvals {
    /// `Reviewed-by`: people who read the change and found it correct.
    pub reviewed_by: Vec<String>,
    /// `Approved-by`: people who approved it.
    pub approved_by: Vec<String>,
    /// `Acked-by`: people who have no objection to it.
    pub acked_by: Vec<String>,
    /// `Signed-off-by`: people who certify that it may be published. This is not a review.
    pub signed_off_by: Vec<String>,
    /// What the commit merges.
    pub merge: Option<Merge>,
    /// What the commit reverts.
    pub revert: Option<Revert>,
}

/// Reads the message of a commit.
pub fn read(message: &str) -> Approvals {
    let trailers = trailers(message);
    let people = |key: &str| {
        let of_key = trailers.iter().filter(|trailer| trailer.is(key) && !trailer.value.is_empty());
        of_key.map(|trailer: &Trailer| trailer.value.clone()).collect()
    };
    Approvals {
        reviewed_by: people("Reviewed-by"),
        approved_by: people("Approved-by"),
        acked_by: people("Acked-by"),
        signed_off_by: people("Signed-off-by"),
        merge: merge::read(message),
        revert: revert::read(message),
    }
}

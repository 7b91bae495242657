//! The evidence for an approval: the signature of the commit that added it.

use crate::reconciler::source::trust::verdict;
use tidegate_core::consent::{Signature, Signer};
use tidegate_git::CommitInfo;
use tidegate_signature::{Reason, Store, Verdict};

/// Returns the verdict on the signature of a commit, as a plain value.
pub(crate) fn signature(store: &Store, info: &CommitInfo) -> Signature {
    match verdict(store, info) {
        Verdict::Good { signer, key } => Signature::Good(Signer { principal: signer, key: key.to_string() }),
        Verdict::Unsigned => Signature::Missing,
        Verdict::Bad(reason) => {
            let why = reason.to_string();
            match reason {
                Reason::UnknownKey { .. } => Signature::Unknown(why),
                Reason::Revoked { .. } => Signature::Revoked(why),
                Reason::NotYetValid { .. } | Reason::Expired { .. } => Signature::Expired(why),
                Reason::Namespace { .. }
                | Reason::NotForGit { .. }
                | Reason::NotForSigning { .. }
                | Reason::Untouched { .. }
                | Reason::Broken { .. }
                | Reason::Unsupported { .. }
                | Reason::NoOpenPgp
                | Reason::Unreadable { .. } => Signature::Bad(why),
            }
        }
    }
}

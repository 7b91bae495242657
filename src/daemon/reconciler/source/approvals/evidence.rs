//! The evidence for an approval: the commit that added it, and its signature.

use super::changed::changes_only;
use crate::reconciler::source::trust::verdict;
use tidegate_consent::file::Evidence;
use tidegate_consent::{Signature, Signer, Written};
use tidegate_git::{CommitInfo, Mirror};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_signature::{Reason, Store, Verdict};

/// The directory of approvals, as the start of a path.
const APPROVALS: &str = "approvals/";

/// Returns the evidence for the approvals that a commit added. The key must have been valid both at the time that the commit names, which
/// its author chooses, and when the daemon saw it: otherwise the owner of an expired key could date commits back.
pub(super) fn evidence(
    mirror: &Mirror,
    store: &Store,
    commit: &CommitId,
    (seen, checked): (Option<Timestamp>, Option<Timestamp>),
) -> Result<Evidence, tidegate_git::Error> {
    let info = mirror.commit_info(commit)?;
    let then = signature(store, &info);
    let signature = match checked.filter(|_| matches!(then, Signature::Good(_))) {
        Some(checked) => signature_at(store, &info, checked),
        None => then,
    };
    let has_only_approvals = changes_only(mirror, commit, &info, |path| path.starts_with(APPROVALS))?;
    let is_again = info.author.time != info.committer.time;
    let written = Written { by: info.author.email.clone(), is_again, has_only_approvals };
    Ok(Evidence { committed: info.committer.time, seen, signature, written })
}

/// Returns the verdict on the signature of a commit at the time that the commit names, as a plain value.
pub fn signature(store: &Store, info: &CommitInfo) -> Signature {
    signature_at(store, info, info.committer.time)
}

fn signature_at(store: &Store, info: &CommitInfo, at: Timestamp) -> Signature {
    match verdict(store, info, at) {
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

//! Approvals in the messages of merge commits, for which the forge that signed the commit vouches.

use super::evidence::signature;
use crate::reconciler::source::poll::Source;
use tidegate_core::approval;
use tidegate_core::consent::{self, Addition, Fact, Signature};
use tidegate_git::CommitInfo;
use tidegate_model::followed::DigestChange;
use tidegate_model::name::AddonName;
use tidegate_signature::Store;

impl Source {
    /// Returns the approvals in the messages of the merge commits that brought the current digests.
    pub(super) fn trailers(&mut self, store: &Store) -> Result<Vec<Fact>, tidegate_git::Error> {
        let newest =
            |(addon, changes): (&AddonName, &Vec<DigestChange>)| Some((addon.clone(), changes.first()?.clone()));
        let newest: Vec<(AddonName, DigestChange)> = self.collected.changes.iter().filter_map(newest).collect();
        let mut facts = Vec::new();
        for (addon, change) in newest {
            let people = self.people_of(change.base.as_ref().unwrap_or(&change.commit));
            if !people.has_forges() || !self.mirror.obtain(&change.commit)? {
                continue;
            }
            let info = self.mirror.commit_info(&change.commit)?;
            if info.parents.len() > 1 {
                facts.extend(vouched(&addon, &change, &info, &signature(store, &info)));
            }
        }
        Ok(facts)
    }
}

/// Returns the approvals in the message of a merge commit.
pub(crate) fn vouched(addon: &AddonName, change: &DigestChange, info: &CommitInfo, signature: &Signature) -> Vec<Fact> {
    let said = approval::read(&info.message);
    let fact = |by: String| Fact {
        source: consent::Source::Trailer,
        file: String::new(),
        addon: addon.clone(),
        digest: change.digest.to_string(),
        group: None,
        instance: None,
        by,
        at: info.committer.time,
        reason: String::new(),
        break_glass: false,
        added: vec![Addition {
            commit: change.commit.clone(),
            committed: info.committer.time,
            seen: None,
            signature: signature.clone(),
        }],
        withdrawn: None,
    };
    said.approved_by.into_iter().chain(said.reviewed_by).map(fact).collect()
}

//! What the journal records about the hub itself: its highest resourceVersion, and when it last went back in time.
//!
//! A new resourceVersion alone never causes a commit. It is recorded when an entry is written anyway.

use super::documents::Journal;
use super::facts::Facts;
use super::record::{AddonStatus, Cause, HubRecord, Outcome, Sync, WentBack};
use tidegate_model::time::to_seconds;

/// Returns the record for an entry: the resourceVersion as last journaled, and the last time that the hub went back in
/// time.
pub(super) fn record(before: Option<&Sync>, facts: &Facts) -> Option<HubRecord> {
    let before = before.and_then(|sync| sync.hub.clone()).unwrap_or_default();
    let went_back = facts.rewind.map(|rewind| WentBack {
        from: rewind.from.to_string(),
        to: rewind.to.to_string(),
        at: to_seconds(rewind.at),
    });
    let record = HubRecord { went_back: went_back.or(before.went_back), ..before };
    (record != HubRecord::default()).then_some(record)
}

/// Returns the record with the current resourceVersion, for an entry that is written anyway.
pub(super) fn counted(record: Option<HubRecord>, facts: &Facts) -> Option<HubRecord> {
    let Some(version) = facts.hub_version else { return record };
    Some(HubRecord { resource_version: Some(version.to_string()), ..record.unwrap_or_default() })
}

/// Returns the notice that the hub went back in time. It is shown until everything that was lost has been rolled out
/// again.
pub(super) fn notice<'a>(
    record: Option<&HubRecord>,
    mut addons: impl Iterator<Item = &'a AddonStatus>,
) -> Option<String> {
    let WentBack { from, to, at } = record?.went_back.as_ref()?;
    let is_open = |addon: &AddonStatus| {
        let rollout = addon.rollout.as_ref().filter(|rollout| rollout.outcome == Outcome::InProgress);
        rollout.is_some_and(|rollout| rollout.started <= *at || rollout.cause == Cause::Repetition)
    };
    addons.any(is_open).then(|| {
        format!(
            "the hub went back in time: it was at resourceVersion {from} before, and at {to} on {at}; what is missing is rolled out again"
        )
    })
}

impl Journal {
    /// Returns the highest journaled resourceVersion of the hub; `None` if the journal has no resourceVersion, or it is not a number.
    pub fn hub_version(&self) -> Option<u64> {
        self.sync.as_ref()?.hub.as_ref()?.resource_version.as_ref()?.parse().ok()
    }
}

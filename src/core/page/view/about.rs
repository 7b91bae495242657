//! Tidegate itself: what it follows, and what is wrong.

use schemars::JsonSchema;
use serde::Serialize;

use crate::facts::Facts;
use tidegate_journal::record::WentBack;
use tidegate_model::followed::{RefusedRevision, Revision, Rewrite};
use tidegate_model::revision::CommitId;
use tidegate_model::time::{Rfc3339, Timestamp, sooner};

/// Tidegate itself.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct About {
    /// The instance that writes the journal; empty if it is not known.
    pub instance: String,
    /// The term of the replica that leads; 0 for a single daemon.
    pub term: u64,
    /// The last revision seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<Revision>,
    /// The last revision without complaints, with every object accepted by the hub.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub applied: Option<CommitId>,
    /// The newest revision, if it is not trusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedRevision>,
    /// The last time that the history of the followed branch was rewritten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewritten: Option<Rewrite>,
    /// The complaints about the last revision seen.
    pub complaints: Vec<String>,
    /// The objects that the hub refused.
    pub failures: Vec<String>,
    /// Other messages for people.
    pub notices: Vec<String>,
    /// The last time that the hub was found in an older state than before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub went_back: Option<WentBack>,
    /// The number of clusters on the hub; absent if the journal has no record of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clusters: Option<usize>,
    /// When the journal expects its next change; absent if it expects none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub next: Option<Timestamp>,
}

/// Returns what is known about Tidegate itself.
pub(crate) fn about(facts: &Facts) -> About {
    let sync = facts.journal.sync.as_ref();
    let clusters = facts.journal.lists.values().flat_map(|clusters| clusters.values());
    About {
        instance: facts.journal.instance().map(|instance| instance.to_string()).unwrap_or_default(),
        term: facts.journal.term(),
        seen: sync.and_then(|sync| sync.seen.clone()),
        applied: sync.and_then(|sync| sync.applied.clone()),
        refused: sync.and_then(|sync| sync.refused.clone()),
        rewritten: sync.and_then(|sync| sync.rewritten.clone()),
        complaints: sync.map(|sync| sync.complaint_lines().collect()).unwrap_or_default(),
        failures: sync.map(|sync| sync.failures.clone()).unwrap_or_default(),
        notices: sync.map(|sync| sync.notices.iter().chain(&sync.overrides).cloned().collect()).unwrap_or_default(),
        went_back: sync.and_then(|sync| sync.hub.as_ref()?.went_back.clone()),
        clusters: facts.fleet.as_ref().map(|fleet| fleet.clusters.values().filter(|cluster| !cluster.missing).count()),
        next: clusters.fold(None, |next, cluster| sooner(next, cluster.look_at)),
    }
}

//! Facts that an entry records besides the plan: the followed revision, and the hub itself.

use std::collections::BTreeMap;

use super::revision::{RefusedRevision, Revision, Rewrite};
use tidegate_model::instance::InstanceId;
use tidegate_model::name::AddonName;
use tidegate_model::revision::CommitId;
use tidegate_model::rewind::Rewind;

/// Facts that an entry records besides the report.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The last revision seen.
    pub seen: Option<Revision>,
    /// The last revision without complaints.
    pub applied: Option<CommitId>,
    /// The revision that each add-on follows.
    pub addons: BTreeMap<AddonName, CommitId>,
    /// The revisions that rollouts start from, if they are older than the last revision seen.
    pub held: BTreeMap<AddonName, Revision>,
    /// The first complaints about the last revision seen.
    pub complaints: Vec<String>,
    /// Number of complaints beyond those.
    pub unlisted_complaints: usize,
    /// The last revision with good signatures.
    pub verified: Option<CommitId>,
    /// The newest revision, if it is not trusted.
    pub refused: Option<RefusedRevision>,
    /// The last time that the history was rewritten.
    pub rewritten: Option<Rewrite>,
    /// Objects that the hub refused, and those that belong to another instance.
    pub failures: Vec<String>,
    /// The other instances whose objects are adopted.
    pub adopts: Vec<InstanceId>,
    /// The highest resourceVersion seen on the hub.
    pub hub_version: Option<u64>,
    /// The last time that the hub was found in an older state than before, since the process started.
    pub rewind: Option<Rewind>,
}

//! What an entry reports besides the plan: the followed revision, and the hub itself.

use std::collections::BTreeMap;

use super::revision::{RefusedRevision, Revision, Rewrite};
use tidegate_model::instance::InstanceId;
use tidegate_model::name::AddonName;
use tidegate_model::revision::CommitId;
use tidegate_model::rewind::Rewind;

/// What an entry tells besides the report.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The revision last seen.
    pub seen: Option<Revision>,
    /// The last revision without complaints.
    pub applied: Option<CommitId>,
    /// The revision that each add-on follows.
    pub addons: BTreeMap<AddonName, CommitId>,
    /// The revisions that rollouts start from, if they are older than the last seen.
    pub held: BTreeMap<AddonName, Revision>,
    /// The first complaints of the revision last seen.
    pub complaints: Vec<String>,
    /// How many complaints there are beyond those.
    pub unlisted_complaints: usize,
    /// The last revision whose signatures were found good.
    pub verified: Option<CommitId>,
    /// The newest revision, where it is not trusted.
    pub refused: Option<RefusedRevision>,
    /// The last time that history was rewritten.
    pub rewritten: Option<Rewrite>,
    /// Objects that the hub refused, and those that belong to another instance.
    pub failures: Vec<String>,
    /// The other instances whose objects are taken over.
    pub adopts: Vec<InstanceId>,
    /// The highest resourceVersion seen on the hub.
    pub hub_version: Option<u64>,
    /// The last time that the hub was found to have gone back in time, since the process started.
    pub rewind: Option<Rewind>,
}

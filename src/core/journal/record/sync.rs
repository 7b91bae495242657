//! `sync.yaml`: which revision of the repository the hub follows, and any problems.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{API_VERSION, HoldRecord, HubRecord};
use crate::format::{self, FORMAT};
use tidegate_consent::RulesState;
use tidegate_model::clock_steps::ClockSteps;
use tidegate_model::followed::{DigestChange, Judgement, RefusedRevision, Revision, Rewrite};
use tidegate_model::instance::{Instance, InstanceId};
use tidegate_model::name::UnitName;
use tidegate_model::replaced::Replaced;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{Rfc3339, Timestamp};
use tidegate_model::unseen::Unseen;

/// `sync.yaml`: which revision of the repository the hub follows, and any problems.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sync {
    /// `tidegate.io/v1alpha1`.
    #[schemars(extend("const" = API_VERSION))]
    pub api_version: String,
    /// `Sync`.
    #[schemars(extend("const" = "Sync"))]
    pub kind: String,
    /// The format of the journal, from 1. A build that does not know it does not continue the journal.
    #[serde(default = "format::first", skip_serializing_if = "format::is_first")]
    pub format: u32,
    /// The instance that owns this journal. It is set once and never changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<Identity>,
    /// The term of the replica that leads. Absent if the instance has only one daemon.
    #[serde(default, skip_serializing_if = "is_no_term")]
    pub term: u64,
    /// When a daemon looked at the hub last, if that was not about when the entry was written: in the entry of a process that has just started,
    /// and if the clock was set in the meantime, for example.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub looked: Option<Timestamp>,
    /// The other instances whose objects are adopted, as configured in the repository.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adopts: Vec<InstanceId>,
    /// The last revision seen.
    pub seen: Option<Revision>,
    /// The last revision without complaints, with every object accepted by the hub.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied: Option<CommitId>,
    /// The last revision with good signatures, if signatures are required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<CommitId>,
    /// The newest revision, if it is not trusted; the last revision seen stays in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedRevision>,
    /// The last time that the history of the followed branch was rewritten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewritten: Option<Rewrite>,
    /// The revision that each add-on follows: older than the last revision seen if that one has complaints.
    #[serde(default)]
    pub addons: BTreeMap<UnitName, CommitId>,
    /// The last changes of the digest of each add-on, newest first, which approvals are about. Absent if the repository has neither
    /// people nor approvals.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub changes: BTreeMap<UnitName, Vec<DigestChange>>,
    /// The digests that are not in force any more, and when each one left force. Approvals that were given before do not count when such
    /// a digest returns.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub replaced: BTreeMap<UnitName, Replaced>,
    /// Which policies judge revisions, and what they decided about the last revision seen.
    #[serde(default, skip_serializing_if = "Judgement::is_empty")]
    pub policies: Judgement,
    /// Which rules are in force, and which change of them waits. Absent if no change was ever recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<RulesState>,
    /// The first hundred complaints about the last revision seen, as `file:line:column: message`.
    #[serde(default)]
    pub complaints: Vec<String>,
    /// Number of complaints beyond those.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unlisted_complaints: usize,
    /// Objects that the hub refused, each with its place in the repository if it has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
    /// Other messages for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// The approvals that override windows and freezes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<String>,
    /// The removal of objects that left the repository, if the brake holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<HoldRecord>,
    /// When the hub was not observed while clusters were under way. These times do not count against a `progressDeadline`.
    #[serde(default, skip_serializing_if = "Unseen::is_empty")]
    pub unseen: Unseen,
    /// How the clock of the daemon's machine was set while clusters were under way or about to lose an add-on, or rules waited.
    #[serde(default, skip_serializing_if = "ClockSteps::is_empty")]
    pub clock: ClockSteps,
    /// What is known about the hub itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hub: Option<HubRecord>,
}

impl Sync {
    /// Returns the document of a new journal.
    pub fn empty() -> Self {
        Self {
            api_version: API_VERSION.to_owned(),
            kind: "Sync".to_owned(),
            format: FORMAT,
            instance: None,
            term: 0,
            looked: None,
            adopts: Vec::new(),
            seen: None,
            applied: None,
            verified: None,
            refused: None,
            rewritten: None,
            addons: BTreeMap::new(),
            changes: BTreeMap::new(),
            replaced: BTreeMap::new(),
            policies: Judgement::default(),
            rules: None,
            complaints: Vec::new(),
            unlisted_complaints: 0,
            failures: Vec::new(),
            notices: Vec::new(),
            overrides: Vec::new(),
            hold: None,
            unseen: Unseen::default(),
            clock: ClockSteps::default(),
            hub: None,
        }
    }

    /// Returns the complaints, one per line, with a last line for those that are not listed.
    pub fn complaint_lines(&self) -> impl Iterator<Item = String> {
        let more = (self.unlisted_complaints > 0).then(|| format!("and {} more complaints", self.unlisted_complaints));
        self.complaints.iter().cloned().chain(more)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_no_term(term: &u64) -> bool {
    *term == 0
}

/// The identity of the instance that owns a journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Identity {
    /// The id, which marks every object that the instance owns.
    pub id: InstanceId,
    /// The name that the operator gave it; empty if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// When the identity was created.
    #[schemars(with = "Rfc3339")]
    pub since: Timestamp,
}

impl Identity {
    /// Returns the instance.
    pub fn instance(&self) -> Instance {
        Instance { id: self.id.clone(), name: self.name.clone() }
    }
}

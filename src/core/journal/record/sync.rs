//! `sync.yaml`: how the hub stands to the repository.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{API_VERSION, HubRecord};
use crate::journal::revision::{RefusedRevision, Revision, Rewrite};
use crate::plan::brake::Hold;
use tidegate_model::instance::{Instance, InstanceId};
use tidegate_model::name::AddonName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{Rfc3339, Timestamp};

/// `sync.yaml`: how the hub stands to the repository.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sync {
    /// `tidegate.io/v1alpha1`.
    #[schemars(extend("const" = API_VERSION))]
    pub api_version: String,
    /// `Sync`.
    #[schemars(extend("const" = "Sync"))]
    pub kind: String,
    /// The instance that keeps this journal. It is created once and never changes; absent in journals of versions up to 0.1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<Identity>,
    /// The other instances whose objects are taken over, as the repository says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adopts: Vec<InstanceId>,
    /// The revision that was last seen.
    pub seen: Option<Revision>,
    /// The last revision without complaints, of which the hub took every object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied: Option<CommitId>,
    /// The last revision whose signatures were found good, where they are asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<CommitId>,
    /// The newest revision, where it is not trusted; the one last seen stays in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedRevision>,
    /// The last time that the history of the followed branch was rewritten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewritten: Option<Rewrite>,
    /// The revision that each add-on follows: an older one than the last seen where that has complaints.
    #[serde(default)]
    pub addons: BTreeMap<AddonName, CommitId>,
    /// The first hundred complaints of the revision last seen, as `file:line:column: message`.
    #[serde(default)]
    pub complaints: Vec<String>,
    /// How many complaints there are beyond those.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unlisted_complaints: usize,
    /// Objects that the hub refused, each with its place in the repository where it has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
    /// What else a person should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// The removal of objects that left the repository, if the brake has caught it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<Hold>,
    /// What is known of the hub itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hub: Option<HubRecord>,
}

impl Sync {
    /// Returns the document of a journal in which nothing is known yet.
    pub fn empty() -> Self {
        Self {
            api_version: API_VERSION.to_owned(),
            kind: "Sync".to_owned(),
            instance: None,
            adopts: Vec::new(),
            seen: None,
            applied: None,
            verified: None,
            refused: None,
            rewritten: None,
            addons: BTreeMap::new(),
            complaints: Vec::new(),
            unlisted_complaints: 0,
            failures: Vec::new(),
            notices: Vec::new(),
            hold: None,
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

/// The identity of the instance that keeps a journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Identity {
    /// The identity, which every object bears that the instance owns.
    pub id: InstanceId,
    /// The name that the operator gave it; empty without one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// When the identity was created.
    #[schemars(with = "Rfc3339")]
    pub since: Timestamp,
    /// Whether there was a journal before the identity, of a version up to 0.1.0: then it proves what that version installed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub had_journal: bool,
}

impl Identity {
    /// Returns the instance.
    pub fn instance(&self) -> Instance {
        Instance { id: self.id.clone(), name: self.name.clone() }
    }
}

//! What people decide about rollouts: to pause or abort them, to retry clusters, and to quarantine clusters.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::digest_start::DigestStart;
use super::name::path_of;
use tidegate_model::digest::Digest;
use tidegate_model::line::brief;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::{Rfc3339, Timestamp};

/// The longest reason that is shown, in characters. The file and the message of the commit have the rest.
const MAX_REASON: usize = 200;

/// The decisions about the rollouts of one add-on, or of all add-ons.
///
/// Each field is in force while it is in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Control {
    /// No further cluster starts. Clusters that have started continue, and soak times run on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Pause")]
    pub pause: Option<Pause>,
    /// The rollout of a digest ends: no further cluster starts with it, and clusters keep what they have. Without effect once the
    /// add-on has another digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Abort")]
    pub abort: Option<Abort>,
    /// Clusters that failed or timed out start again with the same digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Retry")]
    pub retry: Option<Retry>,
    /// Clusters that do not count, or get nothing new.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quarantine: Vec<Quarantine>,
}

/// No further cluster starts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Pause {
    /// Why, for the people who read it.
    #[serde(deserialize_with = "line")]
    #[schemars(with = "String", regex(pattern = r"\S"))]
    pub reason: String,
}

/// The rollout of a digest ends.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Abort {
    /// The digest of the add-on, or at least its first twelve digits.
    pub digest: DigestStart,
    /// Why, for the people who read it.
    #[serde(deserialize_with = "line")]
    #[schemars(with = "String", regex(pattern = r"\S"))]
    pub reason: String,
}

/// Clusters start again.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Retry {
    /// The digest of the add-on, or at least its first twelve digits.
    pub digest: DigestStart,
    /// The clusters that start again, of those that failed or timed out; all of them if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "BTreeSet<ClusterName>", length(min = 1))]
    pub clusters: Option<BTreeSet<ClusterName>>,
    /// Only clusters that started before this time start again.
    #[schemars(with = "Rfc3339")]
    pub at: Timestamp,
    /// Why, for the people who read it.
    #[serde(deserialize_with = "line")]
    #[schemars(with = "String", regex(pattern = r"\S"))]
    pub reason: String,
}

/// Clusters that are left out of the rollouts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Quarantine {
    /// The clusters.
    #[schemars(length(min = 1))]
    pub clusters: BTreeSet<ClusterName>,
    /// `Ignore`: they get the configuration, and count for nothing. `Exclude`: they get nothing new.
    #[serde(default)]
    #[schemars(with = "String", extend("enum" = ["Ignore", "Exclude"], "default" = "Ignore"))]
    pub mode: Mode,
    /// Why, for the people who read it.
    #[serde(deserialize_with = "line")]
    #[schemars(with = "String", regex(pattern = r"\S"))]
    pub reason: String,
}

/// What a quarantine means for a cluster. The greater one is the stricter one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
pub enum Mode {
    /// It gets the configuration, and counts for nothing: neither as a success nor as a failure.
    #[default]
    Ignore,
    /// It gets nothing new.
    Exclude,
}

/// All decisions that are in force.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Controls {
    /// The decisions about all add-ons, from `control/_fleet.yaml`.
    pub fleet: Control,
    /// The decisions about single add-ons, which may not exist.
    pub addons: BTreeMap<UnitName, Control>,
    /// The files that could not be read, each with the reason. They pause what they are about.
    pub unreadable: BTreeMap<String, String>,
}

impl Control {
    /// Returns `true` if nothing is decided.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Retry {
    /// Returns `true` if a cluster that failed or timed out starts again, provided that it started before [`Retry::at`].
    pub fn includes(&self, cluster: &ClusterName) -> bool {
        self.clusters.as_ref().is_none_or(|clusters| clusters.contains(cluster))
    }
}

impl Controls {
    /// Returns the pause of an add-on: its own, or else that of all add-ons.
    pub fn pause(&self, addon: &UnitName) -> Option<&Pause> {
        self.pause_with_file(addon).map(|(_, pause)| pause)
    }

    /// Returns the pause of an add-on with the path of the file that has it.
    pub fn pause_with_file(&self, addon: &UnitName) -> Option<(String, &Pause)> {
        let own = self.addons.get(addon).and_then(|control| control.pause.as_ref());
        let own = own.map(|pause| (path_of(Some(addon)), pause));
        own.or_else(|| Some((path_of(None), self.fleet.pause.as_ref()?)))
    }

    /// Returns the decision to abort the rollout of a digest.
    pub fn abort(&self, addon: &UnitName, digest: &Digest) -> Option<&Abort> {
        self.addons.get(addon)?.abort.as_ref().filter(|abort| abort.digest.starts(digest))
    }

    /// Returns the decision to retry clusters with a digest.
    pub fn retry(&self, addon: &UnitName, digest: &Digest) -> Option<&Retry> {
        self.addons.get(addon)?.retry.as_ref().filter(|retry| retry.digest.starts(digest))
    }

    /// Returns the strictest quarantine of a cluster, for an add-on or for all of them.
    /// It comes with the add-on that it is about; `None` if it is about all of them.
    pub fn quarantine(&self, addon: &UnitName, cluster: &ClusterName) -> Option<(Option<&UnitName>, &Quarantine)> {
        let own = self.addons.get_key_value(addon).into_iter();
        let own = own.flat_map(|(addon, control)| control.quarantine.iter().map(move |own| (Some(addon), own)));
        let all = own.chain(self.fleet.quarantine.iter().map(|of_all| (None, of_all)));
        // `max_by_key` returns the last of several, and the first one is about the add-on itself.
        all.filter(|(_, quarantine)| quarantine.clusters.contains(cluster))
            .reduce(|one, other| if other.1.mode > one.1.mode { other } else { one })
    }
}

/// Reads a reason as a short line.
fn line<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    String::deserialize(from).map(|reason| brief(&reason, MAX_REASON))
}

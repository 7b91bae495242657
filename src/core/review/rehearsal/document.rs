//! The document: the rehearsal of a rollout.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_model::document::API_VERSION;
use tidegate_model::name::UnitName;

/// The rehearsal of the rollout of a change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rehearsal {
    /// `tidegate.io/v1alpha1`.
    #[schemars(extend("const" = API_VERSION))]
    pub api_version: String,
    /// `Rehearsal`.
    #[schemars(extend("const" = "Rehearsal"))]
    pub kind: String,
    /// How the clusters behave.
    pub scenario: String,
    /// The number of runs.
    pub runs: usize,
    /// The seed of the draws.
    pub seed: u64,
    /// The add-ons that are rolled out.
    pub addons: Vec<AddonRehearsal>,
}

/// The rehearsal of one add-on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddonRehearsal {
    /// The add-on.
    pub name: UnitName,
    /// The number of clusters that take part.
    pub clusters: usize,
    /// What the runs have in common.
    pub result: Summary,
    /// The groups in the order in which their clusters start, over all runs.
    pub waves: Vec<RehearsedWave>,
    /// What would be different with other settings.
    pub alternatives: Vec<Alternative>,
    /// The alternative with the fewest clusters at once that ends in time in 99 of 100 runs; absent if none does, or if no time is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// What many runs of a rollout have in common. Times are in seconds from the merge.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// The share of runs in which all clusters are done, from 0 to 1.
    pub completes: f64,
    /// The share of runs in which all clusters are done by the given time; absent if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_time: Option<f64>,
    /// The share of runs that stop because too many clusters fail or are late.
    pub stops: f64,
    /// The share of runs in which clusters wait forever for another reason.
    pub stalls: f64,
    /// When half of the completed runs are done; absent if none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_end: Option<i64>,
    /// When nine of ten completed runs are done; absent if none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p90_end: Option<i64>,
    /// When half of the stopped runs have stopped; absent if none has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_stop: Option<i64>,
    /// The number of clusters that have the new version when a run stops, in half of the stopped runs; absent if none has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_exposed: Option<usize>,
    /// The largest number of clusters that have the new version when a run stops; absent if none has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_exposed: Option<usize>,
    /// The number of clusters that fail or do not answer, in half of the runs.
    pub median_failed: usize,
}

/// A group over all runs. Times are in seconds from the merge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RehearsedWave {
    /// The placement; empty for clusters chosen by hand.
    pub placement: String,
    /// The name of the step; absent if there are no steps, as for an add-on.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub step: String,
    /// The group.
    pub group: String,
    /// The number of clusters that start, in the run with the most.
    pub clusters: usize,
    /// The share of runs in which it starts, from 0 to 1.
    pub starts: f64,
    /// When it starts in half of these runs.
    pub median_start: i64,
    /// When the last of its clusters has answered in half of these runs.
    pub median_done: i64,
    /// When the last of its clusters has answered in nine of ten of these runs.
    pub p90_done: i64,
}

/// The same rollout with other settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Alternative {
    /// How many clusters may be under way; absent if the strategy has no such setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_concurrency: Option<String>,
    /// The soak time.
    pub soak: String,
    /// The number of runs.
    pub runs: usize,
    /// Whether these are the settings as declared.
    pub is_declared: bool,
    /// What the runs have in common.
    pub result: Summary,
}

//! A staged rollout, as all tools have it.

use jiff::SignedDuration;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use tidegate_api::rollout_policy::{FailureAction, Window};

use crate::field::Field;

/// A staged rollout.
pub(crate) struct Rollout<'n> {
    /// Clusters that are selected: those of any item. If there is none, all clusters.
    pub(crate) selection: Vec<Members>,
    /// The stages, in order.
    pub(crate) stages: Vec<Stage<'n>>,
    /// What happens to selected clusters of no stage.
    pub(crate) others: Others,
    /// The largest number of clusters that are under way at once in all stages together; all if absent.
    pub(crate) at_once: Option<u32>,
    /// How many of the selected clusters get it; all if absent.
    pub(crate) clusters: Option<i32>,
    /// How long a cluster must be healthy before it counts as done.
    pub(crate) soak: Option<SignedDuration>,
    /// After which time a cluster that is not done counts as failed.
    pub(crate) deadline: Option<SignedDuration>,
    /// What follows a failure.
    pub(crate) on_failure: FailureAction,
}

/// A stage.
pub(crate) struct Stage<'n> {
    /// Its name, which becomes that of a group.
    pub(crate) name: String,
    /// Its clusters.
    pub(crate) members: Members,
    /// The largest number of clusters that are under way at once; all if absent.
    pub(crate) at_once: Option<u32>,
    /// Where an approval is asked for before it starts.
    pub(crate) approval: Option<Field<'n>>,
    /// The windows in which its clusters may start.
    pub(crate) windows: Vec<Window>,
    /// Where it is declared.
    pub(crate) field: Field<'n>,
}

/// Clusters that are chosen together.
#[derive(Clone)]
pub(crate) enum Members {
    /// By their labels.
    Labels(LabelSelector),
    /// By their names.
    Names(Vec<String>),
}

/// What happens to selected clusters of no stage.
pub(crate) enum Others {
    /// They do not get it.
    Excluded,
    /// They start after all stages, in groups of this size.
    Groups(Option<IntOrString>),
}

impl<'n> Rollout<'n> {
    /// Returns a rollout of stages that halts at the first failure.
    pub(crate) fn new(stages: Vec<Stage<'n>>, others: Others) -> Self {
        Self {
            selection: Vec::new(),
            stages,
            others,
            at_once: None,
            clusters: None,
            soak: None,
            deadline: None,
            on_failure: FailureAction::Halt,
        }
    }
}

impl<'n> Stage<'n> {
    /// Returns a stage without limits and gates.
    pub(crate) fn new(name: String, members: Members, field: Field<'n>) -> Self {
        Self { name, members, at_once: None, approval: None, windows: Vec::new(), field }
    }
}

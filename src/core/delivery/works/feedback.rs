//! The values of a workload that the agent reports, so that its health can be judged.

use tidegate_api::ocm::manifest_work::{FeedbackRule, JsonPath};

use crate::condition::ready_when::ReadyWhen;
use crate::template::workload::Kind;

/// Feedback values beyond the well-known ones, by name and path. The names start with `Tidegate`, so that they do not collide
/// with values that a template asks for.
pub(crate) const GENERATION: (&str, &str) = ("TidegateGeneration", ".metadata.generation");
pub(crate) const OBSERVED: (&str, &str) = ("TidegateObservedGeneration", ".status.observedGeneration");
pub(crate) const DESIRED: (&str, &str) = ("TidegateDesiredReplicas", ".spec.replicas");
pub(crate) const UPDATED: (&str, &str) = ("TidegateUpdatedReplicas", ".status.updatedReplicas");
pub(crate) const UPDATED_NODES: (&str, &str) = ("TidegateUpdatedNumberScheduled", ".status.updatedNumberScheduled");

/// The field manager that last set the number of replicas through the subresource `scale`, as autoscalers and `kubectl scale` do. It is read only of
/// workloads that something else scales.
pub(crate) const SCALED_BY: (&str, &str) =
    ("TidegateScaledBy", r#".metadata.managedFields[?(@.subresource=="scale")].manager"#);

/// What is read of a StatefulSet besides. Agents have no well-known values of it.
pub(crate) const THERE: (&str, &str) = ("TidegateReplicas", ".status.replicas");
pub(crate) const READY: (&str, &str) = ("TidegateReadyReplicas", ".status.readyReplicas");
pub(crate) const CURRENT_REVISION: (&str, &str) = ("TidegateCurrentRevision", ".status.currentRevision");
pub(crate) const UPDATE_REVISION: (&str, &str) = ("TidegateUpdateRevision", ".status.updateRevision");
pub(crate) const UPDATE_STRATEGY: (&str, &str) = ("TidegateUpdateStrategy", ".spec.updateStrategy.type");
pub(crate) const PARTITION: (&str, &str) = ("TidegatePartition", ".spec.updateStrategy.rollingUpdate.partition");

/// What is read of a CloneSet besides. It counts the replicas that are beyond its partition itself.
pub(crate) const UPDATED_READY: (&str, &str) = ("TidegateUpdatedReadyReplicas", ".status.updatedReadyReplicas");
pub(crate) const EXPECTED: (&str, &str) = ("TidegateExpectedUpdatedReplicas", ".status.expectedUpdatedReplicas");
/// The partition of a CloneSet, which may be a percentage.
pub(crate) const CLONE_SET_PARTITION: (&str, &str) = ("TidegateCloneSetPartition", ".spec.updateStrategy.partition");

/// What is read of a Job.
pub(crate) const JOB_COMPLETE: (&str, &str) =
    ("TidegateJobComplete", r#".status.conditions[?(@.type=="Complete")].status"#);
pub(crate) const JOB_FAILED: (&str, &str) = ("TidegateJobFailed", r#".status.conditions[?(@.type=="Failed")].status"#);

/// What is read of a Rollout of `standard.oam.dev`: what it is about, and what its controller has started and done.
pub(crate) const TARGET_REVISION: (&str, &str) = ("TidegateTargetRevision", ".spec.targetRevisionName");
pub(crate) const TARGET_SIZE: (&str, &str) = ("TidegateTargetSize", ".spec.rolloutPlan.targetSize");
pub(crate) const ROLLING_STATE: (&str, &str) = ("TidegateRollingState", ".status.rollingState");
pub(crate) const LAST_TARGET: (&str, &str) = ("TidegateLastTargetRevision", ".status.lastTargetRevision");
pub(crate) const ROLLED_SIZE: (&str, &str) = ("TidegateRolloutTargetSize", ".status.rolloutTargetSize");
pub(crate) const CURRENT_BATCH: (&str, &str) = ("TidegateCurrentBatch", ".status.currentBatch");
pub(crate) const UPGRADED_READY: (&str, &str) = ("TidegateUpgradedReadyReplicas", ".status.upgradedReadyReplicas");

/// What every object has. With its value, an agent has answered what is asked about an object that has no generation, such as a Service.
pub(crate) const UID: (&str, &str) = ("TidegateUid", ".metadata.uid");

/// What is read of other Rollouts.
pub(crate) const PHASE: (&str, &str) = ("TidegatePhase", ".status.phase");

/// Returns the feedback rule for the values that strict needs from a workload of a kind.
pub(super) fn rule(kind: Kind) -> FeedbackRule {
    let paths: &[(&str, &str)] = match kind {
        Kind::Deployment => &[GENERATION, OBSERVED, DESIRED, UPDATED],
        Kind::DaemonSet => &[GENERATION, OBSERVED, UPDATED_NODES],
        Kind::StatefulSet => &[
            GENERATION,
            OBSERVED,
            DESIRED,
            UPDATED,
            THERE,
            READY,
            CURRENT_REVISION,
            UPDATE_REVISION,
            UPDATE_STRATEGY,
            PARTITION,
        ],
        Kind::CloneSet => &[GENERATION, OBSERVED, DESIRED, THERE, READY, UPDATED_READY, EXPECTED, CLONE_SET_PARTITION],
        Kind::Job => &[GENERATION, JOB_COMPLETE, JOB_FAILED],
        Kind::Rollout => &[
            GENERATION,
            TARGET_REVISION,
            TARGET_SIZE,
            ROLLING_STATE,
            LAST_TARGET,
            ROLLED_SIZE,
            CURRENT_BATCH,
            UPGRADED_READY,
        ],
        Kind::ArgoRollout | Kind::KruiseRollout => &[GENERATION, OBSERVED, PHASE],
    };
    of_paths(paths)
}

/// Returns the feedback rule for a workload whose number of replicas something else sets.
///
/// A manifest with this rule has a number of replicas only until the cluster reports that another field manager has set it.
pub fn scaling_rule() -> FeedbackRule {
    of_paths(&[DESIRED, SCALED_BY])
}

/// Returns the feedback rule for the fields that the conditions of an object read.
pub fn condition_rule(conditions: &ReadyWhen) -> FeedbackRule {
    of_paths(&[GENERATION, OBSERVED, UID].into_iter().chain(conditions.paths()).collect::<Vec<_>>())
}

fn of_paths(paths: &[(&str, &str)]) -> FeedbackRule {
    let path = |(name, path): &(&str, &str)| JsonPath {
        name: (*name).to_owned(),
        path: (*path).to_owned(),
        ..JsonPath::default()
    };
    FeedbackRule { type_: "JSONPaths".to_owned(), json_paths: paths.iter().map(path).collect() }
}

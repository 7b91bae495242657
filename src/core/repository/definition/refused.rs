//! Kinds of `core.oam.dev` that are refused, with what to do instead.

use tidegate_model::near::nearest;

use super::kind::{COMPONENT, TRAIT};

const REFUSED: [(&str, &str); 20] = [
    ("AppRollout", "rollouts are what Tidegate does: write a rolloutStrategy in a policy of type placement"),
    ("ApplicationConfiguration", "it was removed from KubeVela; write an Application"),
    ("ApplicationContext", "it was removed from KubeVela; write an Application"),
    ("Cluster", "clusters are ManagedClusters of Open Cluster Management; remove it"),
    ("Component", "it was removed from KubeVela; write a component of an Application"),
    ("ContainerizedWorkload", "it was removed from KubeVela; write a component of type webservice"),
    ("EnvBinding", "it was removed from KubeVela; write policies of type topology and override"),
    ("HealthScope", "scopes were removed from KubeVela; remove it"),
    ("Initializer", "it was removed from KubeVela; remove it"),
    ("ManualScalerTrait", "it was removed from KubeVela; write a trait of type scaler"),
    ("Policy", "write it in the Application, as spec.policies"),
    ("PolicyDefinition", "policies are built in; remove it"),
    ("Project", "it was removed from KubeVela; remove it"),
    ("ResourceTracker", "KubeVela writes it, and people do not; remove it"),
    ("ScopeDefinition", "scopes were removed from KubeVela; remove it"),
    ("Workflow", "write the steps in the Application, as spec.workflow"),
    ("WorkflowRun", "write the steps in the Application, as spec.workflow"),
    ("WorkflowStepDefinition", "steps are built in, and write steps of type deploy; remove it"),
    ("WorkloadDefinition", "write its kind in a ComponentDefinition, as spec.workload.definition"),
    ("Rollout", "write a rolloutStrategy in a policy of type placement"),
];

/// Returns why a kind is refused, as the end of a sentence that starts with the kind. `known` has the kinds that are read.
pub(crate) fn refusal(kind: &str, known: &[&str]) -> String {
    if let Some((_, instead)) = REFUSED.iter().find(|(refused, _)| *refused == kind) {
        return format!("is not supported: {instead}");
    }
    let known = known.iter().copied().chain([COMPONENT, TRAIT]);
    match nearest(kind, known.clone()) {
        Some(near) => format!("is not a kind of core.oam.dev that is read; did you mean {near:?}?"),
        None => {
            let known: Vec<&str> = known.collect();
            format!("is not a kind of core.oam.dev that is read, which are {}; remove it", known.join(", "))
        }
    }
}

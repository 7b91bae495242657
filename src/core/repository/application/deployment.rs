//! Which clusters get an application in which order, and with which changes.

use super::parsed::{Dispatched, Override, Parsed, Policy, PolicyKind, Replication, Step, Topology};
use super::steps;

/// How many clusters start at once if the step does not say so.
///
/// # Source
/// KubeVela, step `deploy`.
pub(super) const PARALLELISM: u32 = 5;

/// How many components an application has at most, those of each deployment counted apart.
pub(crate) const MOST_COMPONENTS: usize = 5_000;

/// The clusters of one policy, with what they get.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Deployment<'p> {
    /// The index of the step. The clusters of a step start once those of all earlier steps are done.
    pub(super) step: usize,
    /// The policy that selects the clusters.
    pub(super) policy: &'p Policy,
    /// The policies that change what they get, in order.
    pub(super) overrides: Vec<(&'p str, &'p Override)>,
    /// The policies that say which components there are several times, in order.
    pub(super) replications: Vec<(&'p str, &'p Replication)>,
    /// How many clusters start at once unless the policy has a strategy; `None` for all.
    pub(super) parallelism: Option<u32>,
    /// How long a cluster has to stay healthy until it is done, if the next step says so.
    pub(super) soak: Option<&'p str>,
}

/// Returns the deployments of an application in order. Without a workflow, each policy that selects clusters is a step, with all overrides.
pub(super) fn deployments(parsed: &Parsed) -> Vec<Deployment<'_>> {
    let steps = &parsed.workflow.steps;
    if steps.is_empty() {
        let overrides: Vec<_> = parsed.policies.iter().filter_map(changes).collect();
        let replications: Vec<_> = parsed.policies.iter().filter_map(replication).collect();
        let selecting = parsed.policies.iter().filter(|policy| policy.selects_clusters()).enumerate();
        let parallelism = |policy: &Policy| matches!(policy.kind, PolicyKind::Topology(_)).then_some(PARALLELISM);
        return selecting
            .map(|(step, policy)| Deployment {
                step,
                policy,
                overrides: overrides.clone(),
                replications: replications.clone(),
                parallelism: parallelism(policy),
                soak: None,
            })
            .collect();
    }
    let of_step = |(index, step): (usize, &'_ Step)| {
        let parts = if step.sub_steps.is_empty() { vec![step.clone()] } else { step.sub_steps.clone() };
        parts.into_iter().flat_map(move |part| deployed(parsed, index, &part)).collect::<Vec<_>>()
    };
    steps.iter().enumerate().flat_map(of_step).collect()
}

/// Returns the deployments of one step.
fn deployed<'p>(parsed: &'p Parsed, index: usize, step: &Step) -> Vec<Deployment<'p>> {
    let named = |name: &String| parsed.policies.iter().find(|policy| policy.name == *name);
    let policies: Vec<&Policy> = step.properties.policies.iter().filter_map(named).collect();
    let overrides: Vec<_> = policies.iter().copied().filter_map(changes).collect();
    let replications: Vec<_> = policies.iter().copied().filter_map(replication).collect();
    let parallelism = Some(step.properties.parallelism.unwrap_or(PARALLELISM));
    let selecting = policies.into_iter().filter(|policy| policy.selects_clusters());
    let soak = steps::soak(&parsed.workflow.steps, index);
    let deployment = |policy| Deployment {
        step: index,
        policy,
        overrides: overrides.clone(),
        replications: replications.clone(),
        parallelism,
        soak,
    };
    selecting.map(deployment).collect()
}

/// Returns the name of the step of each deployment: the one that is written, or else the name of its policy.
pub(super) fn names(parsed: &Parsed, deployments: &[Deployment<'_>]) -> Vec<String> {
    let named = deployments.iter().map(|deployment| {
        let policy = match deployment.dispatched() {
            Some(dispatched) => &dispatched.cluster,
            None => &deployment.policy.name,
        };
        let step = parsed.workflow.steps.get(deployment.step).map(|step| &step.name).filter(|name| !name.is_empty());
        (step.unwrap_or(policy).as_str(), policy.as_str())
    });
    distinct(&named.collect::<Vec<_>>())
}

/// Returns names, each followed by what distinguishes it if others are the same.
pub(super) fn distinct(names: &[(&str, &str)]) -> Vec<String> {
    let is_repeated = |name: &str| names.iter().filter(|(other, _)| *other == name).count() > 1;
    let distinct = names.iter().map(|(name, further)| match is_repeated(name) {
        true => format!("{name} ({further})"),
        false => (*name).to_owned(),
    });
    distinct.collect()
}

/// Returns what a policy replicates, with its name; `None` if it replicates nothing.
fn replication(policy: &Policy) -> Option<(&str, &Replication)> {
    match &policy.kind {
        PolicyKind::Replication(replication) => Some((&policy.name, replication)),
        _ => None,
    }
}

/// Returns what a policy changes, with its name; `None` if it changes no components.
fn changes(policy: &Policy) -> Option<(&str, &Override)> {
    match &policy.kind {
        PolicyKind::Override(changes) => Some((&policy.name, changes)),
        _ => None,
    }
}

impl Policy {
    /// Returns `true` if it selects clusters.
    pub(super) fn selects_clusters(&self) -> bool {
        matches!(self.kind, PolicyKind::Placement(_) | PolicyKind::Topology(_) | PolicyKind::Dispatched(_))
    }
}

impl Deployment<'_> {
    /// Returns the namespace of the objects on these clusters, if it is not that of the application.
    pub(super) fn namespace(&self) -> Option<&str> {
        self.topology()?.namespace.as_deref()
    }

    /// Returns `true` if later steps start although the policy selects no clusters.
    pub(super) fn may_be_empty(&self) -> bool {
        match &self.policy.kind {
            PolicyKind::Placement(placement) => placement.allow_empty,
            PolicyKind::Topology(topology) => topology.allow_empty,
            _ => false,
        }
    }

    /// Returns the names of the policies that change what these clusters get.
    pub(super) fn changing(&self) -> impl Iterator<Item = &str> {
        let replications = self.replications.iter().map(|(name, _)| *name);
        self.overrides.iter().map(|(name, _)| *name).chain(replications)
    }

    /// Returns how many components these clusters have for each one of the application, at most.
    pub(super) fn copies(&self) -> usize {
        self.replications.iter().fold(1, |copies, (_, replication)| copies.saturating_mul(replication.keys.len()))
    }

    /// Returns what distinguishes the content of these clusters from that of others, as a suffix of the version.
    pub(super) fn suffix(&self) -> String {
        let overrides: String = self.changing().map(|name| format!("+{name}")).collect();
        let namespace = self.namespace().map(|namespace| format!("/{namespace}")).unwrap_or_default();
        let cluster = self.dispatched().map(|dispatched| format!(":{}", dispatched.cluster)).unwrap_or_default();
        format!("{overrides}{namespace}{cluster}")
    }

    /// Returns what steps dispatch to the cluster, if that is why it gets something.
    pub(super) fn dispatched(&self) -> Option<&Dispatched> {
        match &self.policy.kind {
            PolicyKind::Dispatched(dispatched) => Some(dispatched),
            _ => None,
        }
    }

    fn topology(&self) -> Option<&Topology> {
        match &self.policy.kind {
            PolicyKind::Topology(topology) => Some(topology),
            _ => None,
        }
    }
}

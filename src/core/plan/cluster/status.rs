//! The status of a cluster after its works have been examined.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::proven::proven;
use super::works::ClusterWorks;
use crate::context::{Action, Context, Subject};
use tidegate_api::condition::{self, Condition, Time};
use tidegate_api::key;
use tidegate_api::ocm::config_reference::object_key;
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, HealthCheck, ManagedClusterAddOnStatus};
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_delivery::status::progress;
use tidegate_delivery::status::progress::reason;
use tidegate_delivery::status::proof::Generations;
use tidegate_delivery::status::works;
use tidegate_delivery::status::{Progress, hosting, overdue, proof, supported};
use tidegate_model::semantics::SoakDip;
use tidegate_model::time::{Timestamp, to_seconds};

/// Updates the status from the works, and returns the progress of the cluster.
pub(super) fn update(
    context: &Context<'_>,
    subject: &Subject<'_>,
    works: &ClusterWorks<'_>,
    status: &mut ManagedClusterAddOnStatus,
) -> Progress {
    let now = context.input.now;
    status.supported_configs = supported::by_templates();
    status.health_check = Some(HealthCheck { mode: "Customized".to_owned() });
    if let Some(claim) = tidegate_delivery::manifest_applied(works.wanted.names.iter().map(String::as_str), &works.seen)
    {
        condition::set(&mut status.conditions, claim, now);
    }
    let rules = &context.rules;
    let evidence = tidegate_delivery::Evidence {
        owner: context.owner,
        cluster: subject.cluster,
        works: &works.seen,
        probes: &works.wanted.probes,
        conditioned: &works.wanted.conditioned,
        has_manifest_applied: condition::find(&status.conditions, key::MANIFEST_APPLIED).is_some(),
    };
    let health = tidegate_delivery::health(&evidence);
    let doubt = if rules.checks_health {
        tidegate_delivery::doubt(&evidence).or_else(|| unregistered(subject, status))
    } else {
        None
    };
    // The observed work status predates the writes planned in this tick, so ignore it.
    let delivered = (!works.writes.is_empty()).then_some(Progress::NotReady);
    let progress = progress(context, subject, status, (&works.seen, Seen { delivered, doubt }));
    let progress = if rules.checks_health {
        let reported = tidegate_delivery::generations(&evidence);
        if subject.action == Action::Start {
            proof::start(status, &before(context, subject, works, &reported), now);
        }
        let progress = proven(context, subject, status, progress, Some(&reported));
        let progress = broken(subject, status, progress, (&evidence, &reported), now);
        in_order(works, &evidence, progress)
    } else {
        progress
    };
    if let Some(claim) = health {
        condition::set(&mut status.conditions, claim, now);
    }
    record(context, subject, status, &progress);
    progress
}

/// Returns the generations of all workloads of the unit before a start, those that later phases change included.
fn before(
    context: &Context<'_>,
    subject: &Subject<'_>,
    works: &ClusterWorks<'_>,
    reported: &Generations,
) -> Generations {
    let Some(waiting) = &works.wanted.waiting else { return reported.clone() };
    let evidence = tidegate_delivery::Evidence {
        owner: context.owner,
        cluster: subject.cluster,
        works: works.existing,
        probes: waiting.changing(),
        conditioned: &[],
        has_manifest_applied: true,
    };
    reported.clone().into_iter().chain(tidegate_delivery::generations(&evidence)).collect()
}

/// Returns the progress of a cluster, which is not done while components wait for others.
fn in_order(works: &ClusterWorks<'_>, evidence: &tidegate_delivery::Evidence<'_>, progress: Progress) -> Progress {
    let Some(waiting) = &works.wanted.waiting else { return progress };
    match progress {
        Progress::Completed => Progress::Next { what: waiting.next() },
        Progress::Unwell { why } => match waiting.doubt(evidence) {
            Some((what, why)) => Progress::Held { what, why },
            None => Progress::Unwell { why },
        },
        other => other,
    }
}

/// Returns the progress of a cluster, which is broken if a Job of the unit has failed since the works were applied.
fn broken(
    subject: &Subject<'_>,
    status: &ManagedClusterAddOnStatus,
    progress: Progress,
    (evidence, reported): (&tidegate_delivery::Evidence<'_>, &Generations),
    now: Timestamp,
) -> Progress {
    if !matches!(progress, Progress::Unwell { .. }) || subject.action != Action::Watch {
        return progress;
    }
    match (tidegate_delivery::failure(evidence), proof::counts_from(status, Some(reported), now)) {
        (None, _) => progress,
        (Some(_), Some(until)) => Progress::Unproven { until },
        (Some(why), None) => Progress::Broken { why },
    }
}

/// Returns why the agent of a cluster that is not done cannot work: its permissions on the hub are not in place.
fn unregistered(subject: &Subject<'_>, status: &ManagedClusterAddOnStatus) -> Option<String> {
    let claim = condition::find(&status.conditions, key::REGISTRATION_APPLIED)?;
    let is_missing = claim.status == "False" && matches!(subject.action, Action::Start | Action::Watch);
    is_missing.then(|| format!("its agent has no permissions on the hub yet: {}", claim.message))
}

/// Records the progress of a cluster in its status. A cluster that is done for good, or has failed, keeps what is recorded.
pub(crate) fn record(
    context: &Context<'_>,
    subject: &Subject<'_>,
    status: &mut ManagedClusterAddOnStatus,
    progress: &Progress,
) {
    let rules = &context.rules;
    // A cluster is never done before it started, even if the clock was set back in between.
    let started = condition::find(&status.conditions, key::CONFIGURED).filter(|found| found.status == "True");
    let now = started.map_or(context.input.now, |found| context.input.now.max(found.last_transition_time.0));
    let is_done = *progress == Progress::Completed;
    match subject.action {
        Action::Keep | Action::Failed if rules.checks_health => return,
        Action::Soak if !is_done && rules.soak_dip == Some(SoakDip::Fail) => {
            condition::set(&mut status.conditions, progress.failure(), now);
            return restart(&mut status.conditions, key::PROGRESSING, now);
        }
        _ => {}
    }
    let was_done = condition::find(&status.conditions, key::PROGRESSING).is_some_and(|c| c.reason == reason::COMPLETED);
    progress::update(status, progress.claim(), now);
    if rules.counts_from_start && (subject.action == Action::Start || (is_done && !was_done)) {
        // A start or a completion is a transition even if the status of the condition stays the same.
        restart(&mut status.conditions, key::PROGRESSING, now);
    }
}

/// Records that an add-on is not healthy, where nothing can be delivered. The works alone cannot show that it is healthy, since it is
/// not known which workloads they should contain.
pub(super) fn unwell(context: &Context<'_>, subject: &Subject<'_>, status: &mut ManagedClusterAddOnStatus) {
    let evidence = tidegate_delivery::Evidence {
        owner: context.owner,
        cluster: subject.cluster,
        works: context.works(subject.name),
        probes: &[],
        conditioned: &[],
        has_manifest_applied: true,
    };
    if let Some(claim) = tidegate_delivery::health(&evidence).filter(|claim| claim.status != "True") {
        condition::set(&mut status.conditions, claim, context.input.now);
    }
}

/// Records the generations of the configurations as they are on the hub. A configuration that the hub does not have keeps its record.
///
/// # Source
/// OCM addon-framework, `pkg/addonmanager/controllers/addonconfig`. Upstream also writes them for a cluster that waits, which has not
/// observed the new content; here that happens when it starts.
pub(super) fn observe_generations(context: &Context<'_>, status: &mut ManagedClusterAddOnStatus) {
    for reference in &mut status.config_references {
        reference.last_observed_generation = generation(context, reference).or(reference.last_observed_generation);
    }
}

/// Returns the generation of a configuration on the hub.
pub(super) fn generation(context: &Context<'_>, reference: &AddOnConfigReference) -> Option<i64> {
    let config = reference.desired_config.as_ref()?;
    let key = object_key(&reference.group, &reference.resource, &config.namespace, &config.name)?;
    context.input.fleet.declared.get(&key)?.pointer("/metadata/generation")?.as_i64()
}

/// Updates the status of a cluster to which no work is written, and returns its progress with the works that it has.
pub(super) fn watch(context: &Context<'_>, subject: &Subject<'_>, status: &mut ManagedClusterAddOnStatus) -> Progress {
    let watched = progress(context, subject, status, (context.works(subject.name), Seen::default()));
    progress::update(status, watched.claim(), context.input.now);
    watched
}

/// What is already known about the progress of a cluster.
#[derive(Default)]
struct Seen {
    /// The progress of its works; `None` if it has not been determined yet.
    delivered: Option<Progress>,
    /// Why its add-on is not known to be healthy. Compat does not check.
    doubt: Option<String>,
}

fn progress(
    context: &Context<'_>,
    subject: &Subject<'_>,
    status: &ManagedClusterAddOnStatus,
    (works, Seen { delivered, doubt }): (&BTreeMap<String, Arc<ManifestWork>>, Seen),
) -> Progress {
    let delivered = delivered.unwrap_or_else(|| {
        let works = works.values().map(|work| &**work);
        let counted = works.filter(|work| context.rules.ignores_hosting || hosting::is_counted(subject.addon, work));
        works::delivered(&context.owner.hook, &status.config_references, counted)
    });
    if context.rules.ignores_hosting {
        progress::strict(subject.addon, status, delivered, doubt)
    } else {
        progress::compat(subject.addon, status, delivered)
    }
}

/// Records in the status that a cluster missed its deadline, and when it was done after all.
pub(crate) fn keep_overdue(
    subject: &Subject<'_>,
    progress: Option<&Progress>,
    status: &mut ManagedClusterAddOnStatus,
    now: Timestamp,
) {
    let is_done = subject.action == Action::Watch && progress == Some(&Progress::Completed);
    if subject.is_overdue || is_done && condition::is_true(&status.conditions, key::OVERDUE) {
        condition::set(&mut status.conditions, overdue::claim(is_done), now);
    }
}

/// Sets the transition time of a condition to now, whether or not its status changes.
pub(crate) fn restart(conditions: &mut [Condition], type_: &str, now: Timestamp) {
    if let Some(condition) = conditions.iter_mut().find(|c| c.type_ == type_) {
        condition.last_transition_time = Time(to_seconds(now));
    }
}

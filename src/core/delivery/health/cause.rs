//! Why a cluster is not done, as its agent reports it: which object is refused, missing or not ready, or that nothing is reported.
//!
//! The status of a work is written by the agent of a cluster, so every text from it is cut, and control characters are replaced.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use tidegate_api::condition::{self, Condition};
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::manifest_work::{ManifestCondition, ManifestResourceMeta, ManifestWork};
use tidegate_model::line::{brief, without_numbers};
use tidegate_model::time::Timestamp;

use super::conditions::{conditions_in, doubt};
use super::evidence::is_ready;
use super::object::{named_work, object};
use super::rollout::progress;
use super::wanted::{AllWanted, difference};
use super::workload::{WAYS_OUT, has_failed};
use crate::permission::access::Access;
use crate::permission::forbidden::forbidden_for;
use crate::template::workload;
use crate::works::conflict::scaled_by;
use crate::works::feedback::GENERATION;
use crate::works::layout::deploy_works;
use crate::works::owner::WorkOwner;

/// Most characters of a message.
const WIDEST: usize = 240;

/// What kind of cause it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The work agent may not do what an object needs.
    Forbidden,
    /// The cluster refuses an object.
    Refused,
    /// The hub does not hear from the cluster.
    Unreachable,
    /// The agent of the cluster has not reported on the current version of a work.
    Silent,
    /// An object that was applied does not exist on the cluster.
    Missing,
    /// An object is not ready in its current version.
    NotReady,
}

/// Why a cluster is not done. Displays as a clause about the cluster, without numbers of the moment: they are only in the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// What kind of cause it is.
    pub kind: Kind,
    /// What is wrong, with the object and its images.
    what: String,
    /// The request that the cluster forbids its work agent.
    pub forbidden: Option<Access>,
    /// The message of the agent or of the hub; may be empty.
    message: String,
    /// When the cluster last reported a change of its works.
    pub reported: Option<Timestamp>,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        if self.message.is_empty() { Ok(()) } else { write!(f, ": {}", self.message) }
    }
}

impl Cause {
    /// Returns the text of the cause, as it was in an earlier text if only the numbers of the message have changed since.
    pub fn steady(&self, before: &str) -> String {
        let now = self.to_string();
        let earlier = before.strip_prefix(&*self.what).and_then(|rest| rest.strip_prefix(": "));
        match earlier {
            Some(earlier) if without_numbers(earlier) == without_numbers(&self.message) => before.to_owned(),
            _ => now,
        }
    }

    /// Returns what would remove the cause.
    pub fn opens(&self) -> &'static str {
        match self.kind {
            Kind::Forbidden => "the cluster gives its work agent this right",
            Kind::Refused => "a commit fixes the object, or the cluster accepts it",
            Kind::Unreachable => "the hub hears from the cluster again",
            Kind::Silent => "the agent of the cluster reports on its ManifestWorks",
            Kind::Missing => "the object exists on the cluster",
            Kind::NotReady => "the workload becomes ready on the cluster",
        }
    }
}

/// Returns the most serious cause in the works of an add-on on a cluster; `None` if the works show none.
///
/// # Assumptions
/// The works are those that the cluster should have: none of them is about to be written.
pub fn cause(
    owner: &WorkOwner,
    cluster: &ManagedCluster,
    works: &BTreeMap<String, Arc<ManifestWork>>,
) -> Option<Cause> {
    let works: Vec<&ManifestWork> = deploy_works(owner, works).map(|work| &**work).collect();
    let wanted = AllWanted::of(works.iter().copied());
    let found = works.iter().filter_map(|work| of_work(owner, work, &wanted)).chain(unreachable(cluster));
    let found = found.min_by_key(|found| found.kind);
    let times = works.iter().flat_map(|work| conditions(work)).map(|condition| condition.last_transition_time.0);
    let reported = times.max();
    found.map(|Found { kind, what, message, forbidden }| Cause {
        kind,
        what,
        forbidden,
        message: brief(&message, WIDEST),
        reported,
    })
}

/// What is wrong with a work or a cluster.
struct Found {
    kind: Kind,
    what: String,
    message: String,
    forbidden: Option<Access>,
}

impl Found {
    fn new(kind: Kind, what: String, message: String) -> Self {
        Self { kind, what, message, forbidden: None }
    }
}

fn unreachable(cluster: &ManagedCluster) -> Option<Found> {
    let conditions = cluster.status.as_ref().map_or(&[][..], |status| &status.conditions);
    let available =
        condition::find(conditions, key::CLUSTER_AVAILABLE).filter(|available| available.status != "True")?;
    Some(Found::new(Kind::Unreachable, "the hub does not hear from the cluster".to_owned(), available.message.clone()))
}

fn conditions(work: &ManifestWork) -> &[Condition] {
    work.status.as_ref().map_or(&[], |status| &status.conditions)
}

/// Returns what is wrong with a work, by its conditions at the current generation.
fn of_work(owner: &WorkOwner, work: &ManifestWork, wanted: &AllWanted) -> Option<Found> {
    let generation = work.metadata.generation.unwrap_or_default();
    let current = |type_| {
        let condition = condition::find(conditions(work), type_)?;
        (condition.observed_generation.unwrap_or_default() == generation).then_some(condition)
    };
    let Some(applied) = current(key::APPLIED) else { return Some(silent(work)) };
    let manifests = work.status.as_ref().and_then(|status| status.resource_status.as_ref());
    let manifests = manifests.map_or(&[][..], |status| &status.manifests);
    let first = |type_: &str| {
        manifests.iter().find_map(|manifest| {
            let condition = condition::find(&manifest.conditions, type_).filter(|found| found.status == "False")?;
            Some((&manifest.resource_meta, condition.message.clone()))
        })
    };
    if applied.status != "True" {
        return Some(match first(key::APPLIED) {
            Some((meta, message)) => refusal(owner, &object(work, meta), meta, message),
            None => Found::new(Kind::Refused, not_accepted(&named_work(work)), applied.message.clone()),
        });
    }
    let Some(available) = current(key::AVAILABLE) else { return Some(silent(work)) };
    if available.status != "True" {
        let whole = || (named_work(work), available.message.clone());
        let (what, message) = first(key::AVAILABLE).map_or_else(whole, |(meta, message)| (object(work, meta), message));
        return Some(Found::new(Kind::Missing, format!("{what} does not exist on the cluster"), message));
    }
    let idle = |manifest| is_idle(manifest, wanted).then(|| not_done(work, manifest, wanted));
    let unmet = |manifest| Some((unmet(work, manifest)?, String::new()));
    let (what, message) = manifests.iter().find_map(|manifest| idle(manifest).or_else(|| unmet(manifest)))?;
    Some(Found::new(Kind::NotReady, what, message))
}

/// Returns what is wrong with a workload that is not done, and the numbers of the moment. The reason of a Rollout has the numbers of its
/// batches, which are few.
fn not_done(work: &ManifestWork, idle: &ManifestCondition, wanted: &AllWanted) -> (String, String) {
    let (meta, wanted) = (&idle.resource_meta, wanted.of_report(idle));
    let object = object(work, meta);
    if let Ok(Some((there, written))) = difference(idle, wanted) {
        let what = format!("{object} has another number of replicas on the cluster than in its manifest; {WAYS_OUT}");
        return (what, format!("{there} and {written}"));
    }
    let of_workload = workload::Kind::of_report(meta);
    let what = match of_workload {
        Some(kind) if kind.runs_once() && has_failed(idle, wanted) => format!("{object} has failed"),
        Some(workload::Kind::Job) => format!("{object} has not completed"),
        Some(kind) if kind.runs_once() => match progress(kind, idle, wanted) {
            Ok(Some(how)) => format!("{object} is under way: {how}"),
            _ => format!("{object} has not completed"),
        },
        _ => format!("{object} is not ready in its current version"),
    };
    (what, String::new())
}

/// Returns why an object does not meet its conditions, as far as its cluster reports it.
fn unmet(work: &ManifestWork, manifest: &ManifestCondition) -> Option<String> {
    doubt(&conditions_in(work, &manifest.resource_meta)?, &object(work, &manifest.resource_meta), manifest)
}

/// Returns what is wrong with a workload whose number of replicas is that of another field manager.
fn scaled(object: &str, manager: &str) -> String {
    format!(
        "{object} has a number of replicas that {manager} has set; a policy of type take-over sets it again, and a trait of type hpa leaves it"
    )
}

fn not_accepted(what: &str) -> String {
    format!("the cluster does not accept {what}")
}

/// Returns why an object was not applied. A message about another resource than that of the object is shown as it is.
fn refusal(owner: &WorkOwner, object: &str, meta: &ManifestResourceMeta, message: String) -> Found {
    match forbidden_for(meta, &message) {
        None => {
            let what = scaled_by(&message).map_or_else(|| not_accepted(object), |manager| scaled(object, manager));
            Found::new(Kind::Refused, what, message)
        }
        Some(access) => {
            let what = format!("the work agent may not {access}, for {object}; {}", owner.grant);
            Found { kind: Kind::Forbidden, what, message, forbidden: Some(access) }
        }
    }
}

/// Returns `true` for a workload that its cluster reports, and not as ready in its current version. StatefulSets, CloneSets, Jobs and
/// Rollouts are workloads only of applications, which alone ask for their generations.
fn is_idle(manifest: &ManifestCondition, wanted: &AllWanted) -> bool {
    let values = manifest.status_feedback.as_ref().map(|feedback| feedback.values.as_slice()).unwrap_or_default();
    let is_workload = match workload::Kind::of_report(&manifest.resource_meta) {
        Some(workload::Kind::Deployment | workload::Kind::DaemonSet) => !values.is_empty(),
        Some(_) => values.iter().any(|value| value.name == GENERATION.0),
        None => false,
    };
    is_workload && !is_ready(manifest, wanted.of_report(manifest))
}

fn silent(work: &ManifestWork) -> Found {
    let what = format!("the agent of the cluster has not reported on the current version of {}", named_work(work));
    let is = |type_| condition::is_true(conditions(work), type_);
    let before = match (conditions(work).is_empty(), is(key::APPLIED), is(key::AVAILABLE)) {
        (true, ..) => "it has never reported on it",
        (_, true, true) => "the last version that it reported on was applied",
        (_, true, false) => "the last version that it reported on was applied only in part",
        (_, false, _) => "the last version that it reported on was not applied",
    };
    Found::new(Kind::Silent, what, before.to_owned())
}

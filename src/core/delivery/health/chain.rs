//! The chain from the works of a unit on a cluster to the objects there, link by link, as the agent of the cluster reports them.
//!
//! "Available" means that an object exists. It is never called healthy.

use serde::Serialize;

use tidegate_api::condition::{self, Condition};
use tidegate_api::key;
use tidegate_api::ocm::manifest_work::{FeedbackValue, ManifestCondition, ManifestWork};
use tidegate_model::line::brief;

use super::conditions;
use super::object::{identifier, named_work, object};
use super::report::{SCALED_TO_ZERO, is_scaled_to_zero};
use super::wanted::AllWanted;
use super::workload::doubt_of;
use crate::permission::access::Access;
use crate::permission::forbidden::forbidden_for;
use crate::template::workload::Kind;

/// Most characters of a message and of a value.
const WIDEST: usize = 240;
/// Most values of an object.
const VALUES: usize = 12;

/// What a link is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Level {
    /// From the hub to the agent of the cluster.
    Work,
    /// From the agent to the API server of the cluster.
    Manifest,
    /// From the API server to the object.
    Object,
}

/// Whether a link holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Holds {
    /// It does, as far as the agent reports.
    Yes,
    /// It does not.
    No,
    /// The agent does not report it.
    Unknown,
}

/// One link of the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// What it is about.
    pub level: Level,
    /// The work or the object.
    pub what: String,
    /// Whether it holds.
    pub holds: Holds,
    /// What is reported.
    pub reports: String,
    /// The right that the work agent lacks, if that is why the link does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forbidden: Option<Access>,
}

/// Returns the links of a work: its own, and two for each of its objects, in the order of the manifests.
pub fn links(work: &ManifestWork) -> Vec<Link> {
    let status = work.status.as_ref();
    let conditions = status.map_or(&[][..], |status| &status.conditions);
    let reported = status.and_then(|status| status.resource_status.as_ref());
    let mut reported: Vec<&ManifestCondition> = reported.iter().flat_map(|status| &status.manifests).collect();
    reported.sort_by_key(|manifest| manifest.resource_meta.ordinal);
    let wanted = AllWanted::of([work]);
    let mut links = vec![of_work(work, conditions)];
    for manifest in &reported {
        let what = object(work, &manifest.resource_meta);
        links.push(of_manifest(&what, manifest));
        links.push(of_object(&what, (work, &wanted), manifest));
    }
    let manifests = work.spec.workload.as_ref().map_or(0, |workload| workload.manifests.len());
    if let more @ 1.. = manifests.saturating_sub(reported.len()) {
        let reports = format!("{more} of {manifests} objects are not reported");
        let what = named_work(work);
        links.push(Link { level: Level::Manifest, what, holds: Holds::Unknown, reports, forbidden: None });
    }
    let is_false = conditions
        .iter()
        .any(|found| [key::APPLIED, key::AVAILABLE].contains(&&*found.type_) && found.status == "False");
    if is_false && links.iter().all(|link| link.holds == Holds::Yes) {
        // The agent says that something is wrong, and not with which object.
        links.iter_mut().take(1).for_each(|link| link.holds = Holds::No);
    }
    links
}

/// Returns the index of the first link that does not hold, or else of the first one that is unknown; `None` if all hold.
pub fn first_broken(links: &[Link]) -> Option<usize> {
    let first = |holds: Holds| links.iter().position(|link| link.holds == holds);
    first(Holds::No).or_else(|| first(Holds::Unknown))
}

fn of_work(work: &ManifestWork, conditions: &[Condition]) -> Link {
    let generation = work.metadata.generation.unwrap_or_default();
    let mut holds = Holds::Yes;
    let states = [key::APPLIED, key::AVAILABLE].map(|type_| match condition::find(conditions, type_) {
        None => {
            holds = Holds::Unknown;
            format!("{type_} is not reported")
        }
        Some(found) => {
            let observed = found.observed_generation.unwrap_or_default();
            if observed != generation {
                holds = Holds::Unknown;
            }
            format!("{type_} {} at generation {observed}", found.status)
        }
    });
    let deleted = if work.metadata.deletion_timestamp.is_some() { ", is being deleted" } else { "" };
    let reports = brief(&format!("generation {generation}{deleted}: {}", states.join(", ")), WIDEST);
    Link { level: Level::Work, what: named_work(work), holds, reports, forbidden: None }
}

fn of_manifest(what: &str, manifest: &ManifestCondition) -> Link {
    let applied = condition::find(&manifest.conditions, key::APPLIED);
    let (holds, reports) = said(applied, "applied", "not applied");
    let refused = applied.filter(|applied| applied.status == "False");
    let forbidden = refused.and_then(|applied| forbidden_for(&manifest.resource_meta, &applied.message));
    Link { level: Level::Manifest, what: what.to_owned(), holds, reports, forbidden }
}

fn of_object(what: &str, (work, wanted): (&ManifestWork, &AllWanted), manifest: &ManifestCondition) -> Link {
    let available = condition::find(&manifest.conditions, key::AVAILABLE);
    let (mut holds, mut reports) = said(available, "exists", "does not exist");
    let values = manifest.status_feedback.as_ref().map_or(&[][..], |feedback| &feedback.values);
    let (meta, wanted) = (&manifest.resource_meta, wanted.of_report(manifest));
    if holds == Holds::Yes && Kind::of_report(meta).is_some() && !values.is_empty() {
        match doubt_of(&identifier(meta), manifest, wanted) {
            Ok(None) if is_scaled_to_zero(manifest, wanted) => reports = format!("{reports}, {SCALED_TO_ZERO}"),
            Ok(None) => {}
            Ok(Some(doubt)) => (holds, reports) = (Holds::No, format!("{reports}, but {doubt}")),
            Err(wrong) => {
                (holds, reports) = (Holds::Unknown, format!("{reports}, but its report cannot be read: {wrong}"))
            }
        }
    }
    let conditions = (holds == Holds::Yes).then(|| conditions::conditions_in(work, meta)).flatten();
    if let Some(doubt) = conditions.and_then(|found| conditions::doubt(&found, what, manifest)) {
        (holds, reports) = (Holds::No, format!("{reports}, but {doubt}"));
    }
    if !values.is_empty() {
        let shown: Vec<String> = values.iter().take(VALUES).map(value).collect();
        reports = format!("{reports} ({})", shown.join(", "));
    }
    Link { level: Level::Object, what: what.to_owned(), holds, reports: brief(&reports, 2 * WIDEST), forbidden: None }
}

/// Returns what a condition says, in the words for true and false.
fn said(condition: Option<&Condition>, yes: &str, no: &str) -> (Holds, String) {
    let Some(Condition { status, message, .. }) = condition else { return (Holds::Unknown, "not reported".to_owned()) };
    match status.as_str() {
        "True" => (Holds::Yes, yes.to_owned()),
        "False" => (Holds::No, brief(&format!("{no}: {message}"), WIDEST)),
        _ => (Holds::Unknown, brief(&format!("not known whether {yes}: {message}"), WIDEST)),
    }
}

fn value(value: &FeedbackValue) -> String {
    let of = &value.field_value;
    let integer = || of.integer.map(|integer| integer.to_string());
    let text = integer().or_else(|| of.string.clone()).or_else(|| of.boolean.map(|flag| flag.to_string()));
    brief(&format!("{}={}", value.name, text.unwrap_or_else(|| "…".to_owned())), WIDEST)
}

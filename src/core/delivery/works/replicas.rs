//! The number of replicas of a workload that something else sets, such as an autoscaler.
//!
//! Its manifest has no number. But where the manifest had one until now, the work agent may be the only owner of that field, and server-side
//! apply removes a field that its only owner leaves out: the workload would fall to one replica. So the number stays in the manifest until the
//! cluster reports another owner.
//!
//! The agent has one name as an owner, whichever work it applies. So a workload that moves from another unit keeps its number as well.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::manifest_work::{
    FeedbackValue, ManifestCondition, ManifestConfigOption, ManifestWork, ResourceIdentifier,
};
use tidegate_model::json_text::JsonText;
use tidegate_model::object::ObjectKey;

use super::conflict::scaled_by;
use super::feedback::{DESIRED, SCALED_BY};
use super::layout::Layout;
use super::manifest_config::identifier;
use crate::go_object::unstructured::at;

/// The start of the names of the field managers of work agents.
///
/// # Source
/// OCM, the pattern of `manifestConfigs[].updateStrategy.serverSideApply.fieldManager`.
const AGENT: &str = "work-agent";

/// What the manifests of workloads that something else scales are on one cluster.
#[derive(Debug, Default)]
pub(super) struct Scaled {
    /// The manifests that are not as they are rendered, with their positions among the objects.
    pub(super) manifests: Vec<(usize, Arc<Value>)>,
    /// Whether a number is kept, so that the next report of the cluster may change the manifests.
    pub(super) keeps_numbers: bool,
    /// Whether one of the workloads is in no existing work.
    pub(super) has_new: bool,
}

/// Returns the manifests of the workloads that something else scales: with the number of replicas that the existing work has, until the cluster
/// reports another owner of it.
///
/// A workload that only a work of another unit has keeps the number of that work. One that no work has is as it is rendered.
pub(super) fn scaled(objects: &[&Arc<Value>], layout: &Layout<'_>) -> Scaled {
    let (configs, mut scaled) = (layout.template_configs, Scaled::default());
    // An agent that does not apply a manifest field by field removes no field.
    let is_applied = |config: &&ManifestConfigOption| {
        config.update_strategy.as_ref().is_none_or(|strategy| strategy.type_ == "ServerSideApply")
    };
    let asking = configs.iter().filter(|config| asks(config)).filter(is_applied);
    let asking: BTreeSet<&ResourceIdentifier> = asking.map(|config| &config.resource_identifier).collect();
    if asking.is_empty() {
        return scaled;
    }
    let existing = manifests(layout.existing.values());
    let mut others = None;
    for (position, object) in objects.iter().enumerate() {
        let Some(key) = ObjectKey::of(object).filter(|key| asking.contains(&identifier(key))) else { continue };
        let own = existing.get(&key);
        scaled.has_new |= own.is_none();
        let before = own.or_else(|| others.get_or_insert_with(|| manifests(layout.others)).get(&key));
        let Some((work, before)) = before else { continue };
        let number = kept(before, work);
        scaled.keeps_numbers |= number.is_some();
        scaled.manifests.extend(with_number(object, number).map(|manifest| (position, Arc::new(manifest))));
    }
    scaled
}

/// Returns `true` if the agent is asked who sets the number of replicas of a workload.
pub(crate) fn asks(config: &ManifestConfigOption) -> bool {
    config.feedback_rules.iter().flat_map(|rule| &rule.json_paths).any(|path| path.name == SCALED_BY.0)
}

/// Returns a manifest with a number of replicas, or without one; `None` if it is like that already.
fn with_number(rendered: &Value, number: Option<i64>) -> Option<Value> {
    if at(rendered, ["spec", "replicas"]).and_then(Value::as_i64) == number {
        return None;
    }
    let mut manifest = rendered.clone();
    let spec = manifest.get_mut("spec")?.as_object_mut()?;
    match number {
        Some(number) => spec.insert("replicas".to_owned(), json!(number)),
        None => spec.remove("replicas"),
    };
    Some(manifest)
}

/// Returns the manifests in works, each with its work. Of two manifests of one object, the first one counts.
fn manifests<'w>(
    works: impl IntoIterator<Item = &'w Arc<ManifestWork>>,
) -> BTreeMap<ObjectKey, (&'w ManifestWork, Value)> {
    let mut found = BTreeMap::new();
    for work in works {
        let manifests = work.spec.workload.iter().flat_map(|workload| &workload.manifests).map(JsonText::value);
        for (key, manifest) in manifests.filter_map(|manifest| Some((ObjectKey::of(&manifest)?, manifest))) {
            found.entry(key).or_insert((&**work, manifest));
        }
    }
    found
}

/// Returns the number of replicas that the manifest of a workload keeps, given the manifest in the existing work: the larger one of that number and
/// the one that the cluster reports. `None` if there is no number to keep, or another field manager has set it.
///
/// A workload with 0 replicas keeps no number: autoscalers leave it at 0.
fn kept(before: &Value, work: &ManifestWork) -> Option<i64> {
    let number = at(before, ["spec", "replicas"]).and_then(Value::as_i64)?;
    let report = report(before, work);
    if report.is_some_and(|report| is_released(before, work, report)) {
        return None;
    }
    let reported = report.and_then(|report| value(report, DESIRED.0)).and_then(|value| value.field_value.integer);
    let reported = reported.filter(|reported| i32::try_from(*reported).is_ok());
    Some(number.max(reported.unwrap_or_default())).filter(|number| *number > 0)
}

/// Returns what the agent reports of a manifest.
fn report<'w>(manifest: &Value, work: &'w ManifestWork) -> Option<&'w ManifestCondition> {
    let key = ObjectKey::of(manifest)?;
    let mut reports = work.status.as_ref()?.resource_status.iter().flat_map(|status| &status.manifests);
    reports.find(|report| report.resource_meta.key() == key)
}

fn value<'r>(report: &'r ManifestCondition, name: &str) -> Option<&'r FeedbackValue> {
    report.status_feedback.as_ref()?.values.iter().find(|value| value.name == name)
}

/// Returns `true` if a cluster reports that another field manager owns the number of replicas.
///
/// The report has to be about this version of the work, which asks for it: an earlier one may be from before the agent set the number. It also
/// counts if the work could not be applied, which is so if that manager has set another number. With `force`, the agent takes the field back
/// each time, so that no report counts.
fn is_released(manifest: &Value, work: &ManifestWork, report: &ManifestCondition) -> bool {
    let configs = &work.spec.manifest_configs;
    let own = ObjectKey::of(manifest).as_ref().map(identifier);
    let config = configs.iter().find(|config| asks(config) && Some(&config.resource_identifier) == own.as_ref());
    let strategy = config.and_then(|config| config.update_strategy.as_ref());
    let applies = strategy.and_then(|strategy| strategy.server_side_apply.as_ref());
    let is_polite = applies.is_some_and(|apply| apply.force != Some(true));
    let generation = work.metadata.generation.unwrap_or_default();
    let conditions = work.status.as_ref().map_or(&[][..], |status| &status.conditions);
    let is_current =
        |type_| condition::find(conditions, type_).is_some_and(|found| found.observed_generation == Some(generation));
    is_polite
        && [key::APPLIED, key::AVAILABLE].into_iter().all(is_current)
        && owner(report, generation).is_some_and(|owner| !owner.is_empty() && !owner.starts_with(AGENT))
}

/// Returns the field manager that a cluster reports as the owner of the number of replicas.
///
/// An autoscaler writes the number to the subresource `scale`, which is asked for. A person may write it to the workload itself, for example
/// with `kubectl edit`. Then only the conflict shows who the owner is.
fn owner(report: &ManifestCondition, generation: i64) -> Option<&str> {
    let scaler = value(report, SCALED_BY.0).and_then(|value| value.field_value.string.as_deref());
    let refused = || {
        let applied = condition::find(&report.conditions, key::APPLIED)?;
        let is_current = applied.status == "False" && applied.observed_generation == Some(generation);
        scaled_by(&applied.message).filter(|_| is_current)
    };
    scaler.or_else(refused)
}

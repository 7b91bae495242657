//! Rules on the order of components: a component is delivered to a cluster once everything that comes before it is healthy there.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::breach::Breach;
use super::order::{Content, Ordered, partition, sizes};
use super::ready::{Keeping, is_enough, keeping};
use super::snapshot::Snapshot;
use super::takeover;
use super::violation::Violation;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::manifest_work::{FeedbackValue, ManifestWork};
use tidegate_delivery::upstream::{Record, recorded};
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;

/// The works of a unit on a cluster, by name.
type Works = BTreeMap<String, Arc<ManifestWork>>;

/// Judges the order of the components of an application on all clusters.
pub(super) fn violations(unit: &UnitName, before: &Snapshot, after: &Snapshot) -> Vec<Violation> {
    let UnitName::Application(name) = unit else { return Vec::new() };
    let empty = Works::new();
    let mut found = Vec::new();
    for (cluster, works) in after.fleet.works.get(unit).into_iter().flatten() {
        let known = before.fleet.works.get(unit).and_then(|works| works.get(cluster)).unwrap_or(&empty);
        let is_same = known.len() == works.len() && known.values().zip(works.values()).all(|(a, b)| Arc::ptr_eq(a, b));
        if is_same {
            continue;
        }
        let record = |works| recorded(name, cluster, works).map(|(_, record)| record);
        let (was, Some(is)) = (record(known), record(works)) else { continue };
        let Some(content) = Content::of(unit, &is, [after, before]).filter(Content::is_ordered) else {
            continue;
        };
        let case = Case { was, is, works: [known, works], content };
        let withheld = || case.withheld((unit, cluster), [before, after]);
        let breaches =
            [case.early(), case.opened(), case.incomplete(), case.left_out(), withheld()].into_iter().flatten();
        found.extend(breaches.map(|breach| out_of_order(unit, cluster, breach)));
    }
    found
}

fn out_of_order(unit: &UnitName, cluster: &ClusterName, breach: Breach) -> Violation {
    Violation::OutOfOrder { addon: unit.clone(), cluster: cluster.clone(), breach: Box::new(breach) }
}

/// A cluster between two observations.
struct Case<'a> {
    was: Option<Record>,
    is: Record,
    /// Its works before and after.
    works: [&'a Works; 2],
    content: Content,
}

impl Case<'_> {
    /// An object of a phase that is not open does not get the content that it has in its turn, and no more replicas are replaced than those of the
    /// open batches. What a person writes instead is repaired.
    fn early(&self) -> Option<Breach> {
        let open = self.is.opened.phase;
        let [before, after] = self.works.map(manifests);
        let is_early = |(object, ordered): &(&ObjectKey, &Ordered)| {
            let (before, Some(after)) = (before.get(object), after.get(object)) else { return false };
            if without_partition(after.clone()) != without_partition(ordered.manifest.clone()) {
                return false;
            }
            // A number of replicas leaves a manifest as soon as something else has set it.
            let is_other = |before: &Value| without_number(before.clone()) != without_number(ordered.manifest.clone());
            match ordered.held(open) {
                Some(held) => before != Some(after) && partition(after).is_none_or(|partition| partition < held),
                None => ordered.phase > open && before.is_none_or(is_other),
            }
        };
        let (object, ordered) = self.content.objects.iter().find(is_early)?;
        Some(Breach::Early { object: object.clone(), phase: ordered.phase.max(open + 1), open })
    }

    /// A phase is opened once all objects of the phases before are healthy.
    fn opened(&self) -> Option<Breach> {
        let phase = self.is.opened.phase.min(self.content.last);
        let reached = self.was.as_ref().filter(|was| is_same_start(was, &self.is)).map_or(0, |was| was.opened.phase);
        if phase <= reached {
            return None;
        }
        let lack = |works: &Works| {
            let mut objects = self.content.objects.iter().filter(|(_, ordered)| ordered.phase < phase);
            objects.find_map(|(object, ordered)| {
                let held = ordered.held(phase - 1);
                Some((object.clone(), lack(works, (object, held), &self.content.hash)?))
            })
        };
        let [before, after] = self.works.map(lack);
        let (object, lack) = before.filter(|_| after.is_some())?;
        Some(Breach::Opened { phase, object, lack })
    }

    /// Batches are left out at a start alone, and only if some replicas were not ready.
    fn left_out(&self) -> Option<Breach> {
        let first = self.is.opened.first_batch;
        let was = self.was.as_ref().filter(|was| is_same_start(was, &self.is)).map(|was| was.opened.first_batch);
        if was.unwrap_or_default() == first {
            return None;
        }
        let [before, _] = self.works;
        let mut objects = self.content.objects.iter().filter(|(_, ordered)| ordered.has_batches());
        let (object, _) = objects.clone().next()?;
        let is_excused = was.is_none() && objects.any(|(object, _)| is_unready(before, object));
        (!is_excused).then(|| Breach::LeftOut { object: object.clone() })
    }

    /// A work with the new content has no object of an earlier one that another unit declares, and has on the cluster.
    fn withheld(&self, (unit, cluster): (&UnitName, &ClusterName), declaring: [&Snapshot; 2]) -> Option<Breach> {
        let is_new = |work: &&Arc<ManifestWork>| {
            let annotations = work.metadata.annotations.as_ref();
            let carried = annotations.and_then(|all| all.get(key::CONFIG_SPEC_HASH));
            carried.is_some_and(|carried| carried.contains(&self.content.hash))
        };
        let [before, after] = self.works;
        let written = after.iter().filter(|(name, work)| {
            before.get(*name).is_none_or(|before| before.metadata.generation != work.metadata.generation)
        });
        let workloads = written.map(|(_, work)| work).filter(is_new).filter_map(|work| work.spec.workload.as_ref());
        let objects = workloads.flat_map(|workload| workload.objects()).filter_map(|object| ObjectKey::of(&object));
        let mut old = objects.filter(|object| !self.content.objects.contains_key(object));
        old.find_map(|object| {
            let [before, after] = declaring;
            let is_before = |other: &&UnitName| {
                before.declaring(unit, (&object, cluster)).any(|was| was == *other)
                    && takeover::objects(before, other, cluster).contains(&object)
            };
            let from = after.declaring(unit, (&object, cluster)).find(is_before)?.clone();
            Some(Breach::Withheld { object: object.clone(), from })
        })
    }

    /// A cluster is done once it has all objects, and its last phase is open.
    fn incomplete(&self) -> Option<Breach> {
        let is_done = |record: &Record| {
            let progressing = condition::find(&record.conditions, key::PROGRESSING);
            progressing.is_some_and(|found| found.reason == "Completed")
        };
        if !is_done(&self.is) || self.was.as_ref().is_some_and(|was| is_same_start(was, &self.is) && is_done(was)) {
            return None;
        }
        let works = self.works.map(manifests);
        let is_missing = |(object, ordered): &(&ObjectKey, &Ordered)| {
            // A person may have removed it since.
            ordered.last() > self.is.opened.phase || !works.iter().any(|works| works.contains_key(object))
        };
        let (object, _) = self.content.objects.iter().find(is_missing)?;
        Some(Breach::Incomplete { object: object.clone() })
    }
}

/// Returns `true` if some replicas of a workload are reported as not ready.
fn is_unready(works: &Works, object: &ObjectKey) -> bool {
    let reports = works.values().filter_map(|work| work.status.as_ref()?.resource_status.as_ref());
    let mut of_object =
        reports.flat_map(|reports| &reports.manifests).filter(|report| report.resource_meta.key() == *object);
    of_object.any(|report| {
        let values = || report.status_feedback.iter().flat_map(|feedback| &feedback.values);
        let number = |name: &str| values().find(|value| value.name == name)?.field_value.integer;
        let wanted = number("TidegateDesiredReplicas").max(number("TidegateReplicas"));
        wanted.is_some_and(|wanted| number("TidegateReadyReplicas").unwrap_or_default() < wanted)
    })
}

fn without_number(mut manifest: Value) -> Value {
    manifest.pointer_mut("/spec").and_then(Value::as_object_mut).map(|spec| spec.remove("replicas"));
    without_partition(manifest)
}

fn without_partition(mut manifest: Value) -> Value {
    if !sizes(&manifest).is_empty() {
        for strategy in ["/spec/updateStrategy/rollingUpdate", "/spec/updateStrategy"] {
            manifest.pointer_mut(strategy).and_then(Value::as_object_mut).map(|strategy| strategy.remove("partition"));
        }
    }
    manifest
}

/// Returns `true` if two records are about the same content since the same start.
fn is_same_start(was: &Record, is: &Record) -> bool {
    let given = |record: &Record| -> Vec<_> {
        record.config_references.iter().map(|reference| reference.desired_config.clone()).collect()
    };
    let at =
        |record: &Record| condition::find(&record.conditions, key::CONFIGURED).map(|c| c.last_transition_time.clone());
    given(was) == given(is) && at(was) == at(is)
}

fn manifests(works: &Works) -> BTreeMap<ObjectKey, Value> {
    let workloads = works.values().filter_map(|work| work.spec.workload.as_ref());
    workloads
        .flat_map(|workload| workload.objects())
        .filter_map(|object| Some((ObjectKey::of(&object)?, object)))
        .collect()
}

/// Returns what is missing for an object to be known as delivered and healthy with the content that has this hash, and with at most as many
/// replicas that stay as they are.
fn lack(works: &Works, (object, held): (&ObjectKey, Option<i64>), hash: &str) -> Option<&'static str> {
    let of_work = |work: &Arc<ManifestWork>| {
        let objects = work.spec.workload.as_ref().map(|workload| workload.objects()).unwrap_or_default();
        let manifest = objects.into_iter().find(|manifest| ObjectKey::of(manifest).as_ref() == Some(object))?;
        Some((work.clone(), manifest))
    };
    let Some((work, manifest)) = works.values().find_map(of_work) else { return Some("was not delivered") };
    let carried = work.metadata.annotations.as_ref().and_then(|all| all.get(key::CONFIG_SPEC_HASH));
    if !carried.is_some_and(|carried| carried.contains(hash)) {
        return Some("has the content of another version");
    }
    if held.is_some_and(|held| partition(&manifest).is_none_or(|partition| partition > held)) {
        return Some("was not delivered up to its batch");
    }
    let reports = work.status.as_ref().and_then(|status| status.resource_status.as_ref());
    let report =
        reports.into_iter().flat_map(|reports| &reports.manifests).find(|report| report.resource_meta.key() == *object);
    let holds = |type_| {
        let generation = work.metadata.generation;
        let conditions = work.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
        let of_object = report.is_some_and(|report| condition::is_true(&report.conditions, type_));
        condition::find(conditions, type_)
            .is_some_and(|found| found.observed_generation == generation && (found.status == "True" || of_object))
    };
    if !holds(key::APPLIED) || !holds(key::AVAILABLE) {
        return Some("is not reported as applied");
    }
    let values = report.and_then(|report| report.status_feedback.as_ref()).into_iter().flat_map(|f| &f.values);
    let values: Vec<&FeedbackValue> = values.collect();
    let keeping = report.map_or(Keeping::Exactly, |report| keeping(&work, &report.resource_meta));
    (!is_enough((&manifest, keeping), &values)).then_some("is not reported as ready")
}

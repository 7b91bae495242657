//! What a cluster gets while some components wait for others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use tidegate_api::ocm::manifest_work::{ManifestConfigOption, ManifestWork, ResourceIdentifier};
use tidegate_model::object::ObjectKey;

use super::waiting::Waiting;
use crate::condition::ready_when::Conditioned;
use crate::template::batches::Batches;
use crate::template::order::{Order, component};
use crate::template::rendered::Rendered;
use crate::template::workload;
use crate::works::layout::Layout;
use crate::works::manifest_config::identifier;

/// What a cluster gets until the last phase is open.
#[derive(Debug)]
pub struct Partial {
    /// The objects of the open phases, and those that the cluster keeps.
    pub rendered: Rendered,
    /// How the agent applies them.
    pub configs: Vec<ManifestConfigOption>,
    /// What waits, and for what.
    pub waiting: Waiting,
}

/// Returns what a cluster gets while this phase is open; `None` if it is the last one, so that the cluster gets everything.
///
/// Objects of later phases stay as they are in the existing works, together with how the agent applies them, or are absent. Objects that the
/// new content does not have any longer stay, too: nothing is removed before the last phase is open. Those that another unit has by now are
/// removed at once: two works with one object would overwrite each other.
pub fn partial(layout: &Layout<'_>, order: &Order, open: u32, released: &BTreeSet<ObjectKey>) -> Option<Partial> {
    if open >= order.last() {
        return None;
    }
    let works: Vec<&ManifestWork> =
        layout.existing.iter().filter(|(name, work)| layout.manages(name, work)).map(|(_, work)| &**work).collect();
    let mut had = Had::of(&works);
    // What a later batch changes once more.
    let mut changing: Vec<ResourceIdentifier> = Vec::new();
    let (mut rendered, mut waiting) = (Rendered::default(), Waiting::new(order.waiting(open + 1)));
    for object in &layout.rendered.objects {
        let component = component(object);
        let key = ObjectKey::of(object);
        let before = key.as_ref().and_then(|key| had.take(key));
        if let Some(index) = order.batch(component, open) {
            let probes = rendered.probes.len();
            let batches = Batches::of(object);
            let object = batches.as_ref().map_or_else(|| object.clone(), |batches| batches.object(object, index));
            let kind = workload::of_application(&object);
            rendered.push(object, kind);
            let probes = rendered.probes.iter().skip(probes).cloned();
            let conditioned = layout.rendered.conditioned.iter().filter(|found| Some(&found.object) == key.as_ref());
            let conditioned: Vec<Conditioned> = conditioned.cloned().collect();
            if batches.is_some_and(|batches| index < batches.last()) {
                changing.extend(probes.clone());
            }
            waiting.add_open(order.phase(component), component, (probes, &conditioned));
            rendered.conditioned.extend(conditioned);
        } else if let (Some(key), Some(before)) = (key, before) {
            waiting.kept.insert(key);
            keep(&mut rendered, before);
        }
    }
    for (key, object) in had.rest().into_iter().filter(|(key, _)| !released.contains(key)) {
        waiting.kept.insert(key);
        keep(&mut rendered, object);
    }
    let open: BTreeSet<ResourceIdentifier> = judged(&rendered).collect();
    let later = judged(layout.rendered).filter(|object| !open.contains(object));
    waiting.changing = changing.into_iter().chain(later).collect();
    Some(Partial { configs: configs(layout.template_configs, &works, &waiting), rendered, waiting })
}

/// Returns the objects that are judged by what the cluster reports.
fn judged(rendered: &Rendered) -> impl Iterator<Item = ResourceIdentifier> {
    let conditioned = rendered.conditioned.iter().map(|conditioned| identifier(&conditioned.object));
    rendered.probes.iter().cloned().chain(conditioned)
}

/// Adds an object that stays as it is. If it is a workload, it is reported on, but not judged.
fn keep(rendered: &mut Rendered, object: Arc<Value>) {
    rendered.workloads.extend(workload::of_application(&object).map(|kind| workload::identifier(kind, &object)));
    rendered.objects.push(object);
}

/// The objects in the existing works, each once.
struct Had {
    order: Vec<ObjectKey>,
    objects: BTreeMap<ObjectKey, Arc<Value>>,
}

impl Had {
    fn of(works: &[&ManifestWork]) -> Self {
        let mut had = Self { order: Vec::new(), objects: BTreeMap::new() };
        for object in
            works.iter().filter_map(|work| work.spec.workload.as_ref()).flat_map(|workload| workload.objects())
        {
            let Some(key) = ObjectKey::of(&object) else { continue };
            if !had.objects.contains_key(&key) {
                had.order.push(key.clone());
                had.objects.insert(key, Arc::new(object));
            }
        }
        had
    }

    fn take(&mut self, key: &ObjectKey) -> Option<Arc<Value>> {
        self.objects.remove(key)
    }

    /// Returns what was not taken, in the order of the works.
    fn rest(mut self) -> Vec<(ObjectKey, Arc<Value>)> {
        let order = std::mem::take(&mut self.order);
        order.into_iter().filter_map(|key| Some((key.clone(), self.objects.remove(&key)?))).collect()
    }
}

/// Returns how the agent applies the objects. For those that the cluster keeps, the existing works say it, or else the new content does.
///
/// The order is that of the content, so that a phase in which nothing changes needs no write.
fn configs(template: &[ManifestConfigOption], works: &[&ManifestWork], waiting: &Waiting) -> Vec<ManifestConfigOption> {
    let kept: BTreeSet<ResourceIdentifier> = waiting.kept.iter().map(identifier).collect();
    let is_kept = |config: &&ManifestConfigOption| kept.contains(&config.resource_identifier);
    let mut had: BTreeMap<&ResourceIdentifier, &ManifestConfigOption> = BTreeMap::new();
    let existing = || works.iter().flat_map(|work| &work.spec.manifest_configs).filter(is_kept);
    for config in existing() {
        had.entry(&config.resource_identifier).or_insert(config);
    }
    let known: BTreeSet<&ResourceIdentifier> = template.iter().map(|config| &config.resource_identifier).collect();
    let of_content = template.iter().map(|config| had.get(&config.resource_identifier).copied().unwrap_or(config));
    let mut others: BTreeSet<&ResourceIdentifier> = BTreeSet::new();
    let others = existing()
        .filter(|config| !known.contains(&config.resource_identifier) && others.insert(&config.resource_identifier));
    of_content.chain(others).cloned().collect()
}

//! Which components wait, and what the reports of a cluster say about those that they wait for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::manifest_work::{ManifestCondition, ManifestWork, ResourceIdentifier};
use tidegate_model::json_text::JsonText;
use tidegate_model::object::ObjectKey;
use tidegate_model::plural::first_of;

use crate::condition::ready_when::Conditioned;
use crate::health::evidence::doubt;
use crate::health::report::Evidence;
use crate::template::order::Turn;

/// Most components that a message names.
const NAMED: usize = 3;

/// The objects of a component that are judged by what the cluster reports.
#[derive(Debug, Default)]
struct Judged {
    probes: Vec<ResourceIdentifier>,
    conditioned: Vec<Conditioned>,
}

/// The components of open phases, and those of the next one.
#[derive(Debug, Default)]
pub struct Waiting {
    /// The objects in the works that stay as they are, and whose state does not matter.
    pub(super) kept: BTreeSet<ObjectKey>,
    /// The judged objects that later phases change.
    pub(super) changing: Vec<ResourceIdentifier>,
    /// The components of open phases with what is judged of them, by phase and name.
    open: BTreeMap<(u32, String), Judged>,
    /// What comes in the next phase, each with all components that it comes after.
    next: BTreeMap<Turn, BTreeSet<String>>,
}

impl Waiting {
    pub(super) fn new(next: BTreeMap<Turn, BTreeSet<String>>) -> Self {
        Self { next, ..Self::default() }
    }

    pub(super) fn add_open(
        &mut self,
        phase: u32,
        component: &str,
        (probes, conditioned): (impl Iterator<Item = ResourceIdentifier>, &[Conditioned]),
    ) {
        let judged = self.open.entry((phase, component.to_owned())).or_default();
        judged.probes.extend(probes);
        judged.conditioned.extend_from_slice(conditioned);
    }

    /// Returns the objects whose generations are recorded when a phase is opened: those that this phase or a later one changes.
    pub fn changing(&self) -> &[ResourceIdentifier] {
        &self.changing
    }

    /// Returns what comes in the next phase, for messages.
    pub fn next(&self) -> String {
        named(self.next.keys())
    }

    /// Returns what waits for which component, and why that is not known to be healthy; `None` if everything in the open phases is.
    pub fn doubt(&self, evidence: &Evidence<'_>) -> Option<(String, String)> {
        self.open.iter().find_map(|((_, component), Judged { probes, conditioned })| {
            let why = doubt(&Evidence { probes, conditioned, ..*evidence })?;
            let after = self.next.iter().filter(|(_, named)| named.contains(component));
            let after: Vec<&Turn> = after.map(|(turn, _)| turn).collect();
            let turns = if after.is_empty() { self.next.keys().collect() } else { after };
            Some((waits(&turns, component), why))
        })
    }

    /// Returns works as they are without what stays: an object that is kept and that the cluster refuses holds nothing up. Otherwise, a
    /// version that repairs it could never be delivered.
    pub fn seen(&self, works: &BTreeMap<String, Arc<ManifestWork>>) -> BTreeMap<String, Arc<ManifestWork>> {
        works.iter().map(|(name, work)| (name.clone(), self.without_kept(work))).collect()
    }

    fn without_kept(&self, work: &Arc<ManifestWork>) -> Arc<ManifestWork> {
        let Some(status) = &work.status else { return work.clone() };
        let reports = status.resource_status.as_ref().map_or(&[][..], |reports| &reports.manifests);
        if !reports.iter().any(|report| self.is_kept(report)) {
            return work.clone();
        }
        let mut seen = ManifestWork::clone(work);
        let generation = work.metadata.generation.unwrap_or_default();
        if let Some(status) = &mut seen.status {
            let of_work =
                status.conditions.iter_mut().filter(|found| [key::APPLIED, key::AVAILABLE].contains(&&*found.type_));
            for found in of_work.filter(|found| found.status != "True") {
                if found.observed_generation == Some(generation) && self.is_only_of_kept(work, reports, &found.type_) {
                    "True".clone_into(&mut found.status);
                }
            }
            if let Some(reports) = &mut status.resource_status {
                reports.manifests.retain(|report| !self.is_kept(report));
            }
        }
        Arc::new(seen)
    }

    /// Returns `true` if a condition holds for each object of a work except for those that are kept.
    fn is_only_of_kept(&self, work: &ManifestWork, reports: &[ManifestCondition], type_: &str) -> bool {
        let holds = |report: &ManifestCondition| condition::is_true(&report.conditions, type_);
        let manifests = work.spec.workload.iter().flat_map(|workload| &workload.manifests).map(JsonText::value);
        let wanted =
            manifests.filter(|object| !ObjectKey::of(object).is_some_and(|key| self.kept.contains(&key))).count();
        let (of_kept, others): (Vec<_>, Vec<_>) = reports.iter().partition(|report| self.is_kept(report));
        others.len() == wanted && others.into_iter().all(holds) && !of_kept.into_iter().all(holds)
    }

    fn is_kept(&self, report: &ManifestCondition) -> bool {
        self.kept.contains(&report.resource_meta.key())
    }
}

/// Returns what waits for a component, in words.
fn waits(turns: &[&Turn], component: &str) -> String {
    match turns {
        [Turn::Batch { component: own, number, .. }] if own == component => {
            format!("{} waits for batch {}", named(turns.iter().copied()), number - 1)
        }
        [_] => format!("{} waits for {component}", named(turns.iter().copied())),
        _ => format!("{} wait for {component}", named(turns.iter().copied())),
    }
}

fn named<'t>(turns: impl Iterator<Item = &'t Turn>) -> String {
    let (mut components, mut named) = (Vec::new(), Vec::new());
    for turn in turns {
        match turn {
            Turn::Component(component) => components.push(component.as_str()),
            Turn::Batch { component, number, of } => {
                named.push(format!("batch {number}/{of} of component {component}"))
            }
        }
    }
    if !components.is_empty() {
        let noun = if components.len() == 1 { "component" } else { "components" };
        named.insert(0, format!("{noun} {}", first_of(components.into_iter(), NAMED)));
    }
    first_of(named.iter().map(String::as_str), NAMED)
}

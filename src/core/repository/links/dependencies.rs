//! Which units wait for which others: by the order in RolloutPolicies, and because applications require them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::policy::Policy;
use crate::application::steps::awaited;
use crate::application::{
    declared_unit, entries, is_app_deployment, is_application, is_candidate, required_names, revision_key,
};
use crate::assemble::index::Index;
use crate::complaint::{Complaint, Rule, mark_from};
use crate::read::notes::Notes;
use crate::read::object::{Object, path};
use tidegate_api::key;
use tidegate_api::rollout_policy::Scope;
use tidegate_kustomize::yaml::Origin;
use tidegate_model::name::UnitName;
use tidegate_model::near::remedy;

/// The units of a repository, and what they wait for.
pub(super) struct Dependencies<'a> {
    units: &'a BTreeSet<&'a str>,
    /// The applications that are never rolled out.
    candidates: BTreeSet<UnitName>,
    /// The applications that require units.
    applications: Vec<Application<'a>>,
    /// What each unit waits for.
    waits: BTreeMap<&'a str, Vec<&'a str>>,
}

struct Application<'a> {
    object: &'a Object,
    name: UnitName,
    requires: Vec<Required<'a>>,
}

/// A unit that an application requires.
struct Required<'a> {
    name: Cow<'a, str>,
    /// What says so, and where.
    by: String,
    origin: Origin,
}

/// Returns what an application requires, and what the revisions of an AppDeployment require.
fn required<'a>(object: &'a Object, index: &Index<'a>) -> Vec<Required<'a>> {
    let at = path(&["metadata", "annotations"]).member(key::REQUIRES);
    let (by, origin) = (format!("{at} names"), object.value_origin(&at));
    let own = required_names(&object.value).into_iter();
    let own = own.map(|name| Required { name: name.into(), by: by.clone(), origin });
    let of_steps = awaited(&object.value).into_iter();
    let of_steps = of_steps.map(|(at, name)| Required {
        name: name.into(),
        by: format!("{at} names"),
        origin: object.value_origin(&at),
    });
    let mut required: Vec<_> = own.chain(of_steps).collect();
    let entries = if is_app_deployment(object) { entries(&object.value) } else { Vec::new() };
    let mut seen = BTreeSet::new();
    for entry in entries.iter().filter(|entry| seen.insert(&entry.revision)) {
        let revision = index.by_key.get(&revision_key(&object.key.namespace, &entry.revision)).copied();
        let application = revision.and_then(|revision| revision.value.pointer("/spec/application"));
        let (by, origin) = (format!("revision {:?} requires", entry.revision), object.value_origin(&entry.at_revision));
        let names = application.into_iter().flat_map(required_names).map(Cow::from);
        let of_steps = application.into_iter().flat_map(awaited).map(|(_, name)| name.into());
        required.extend(names.chain(of_steps).map(|name| Required { name, by: by.clone(), origin }));
    }
    required
}

impl<'a> Dependencies<'a> {
    /// Reads what the units wait for.
    pub(super) fn new(
        (objects, index): (&'a [Object], &Index<'a>),
        policies: &'a [Policy<'a>],
        units: &'a BTreeSet<&'a str>,
    ) -> Self {
        let applications =
            objects.iter().filter(|object| is_application(object) || is_app_deployment(object)).filter_map(|object| {
                let (name, requires) = (declared_unit(object)?, required(object, index));
                (!requires.is_empty()).then_some(Application { object, name, requires })
            });
        let applications: Vec<Application<'a>> = applications.collect();
        let waits = waits(units, policies, &applications);
        let candidates = objects.iter().filter(|object| is_candidate(object)).filter_map(declared_unit).collect();
        Self { units, candidates, applications, waits }
    }

    /// Reports dependencies of a policy on unknown units, and those that no unit could ever fulfil.
    pub(super) fn check_policy(&self, notes: &mut Notes<'_>, policy: &Policy<'_>) {
        for (position, dependency) in policy.spec.order.iter().enumerate() {
            let at = path(&["spec", "order"]).item(position).member("after");
            let origin = notes.object.value_origin(&at);
            let after = dependency.after.as_str();
            if !self.units.contains(after) {
                let remedy = remedy(after, self.units.iter().copied());
                notes.error(origin, format!("{at} is {after:?}, which is not an add-on of the repository; {remedy}"));
            } else if let Some(circle) = self.circle(after, |unit| policy.selects(unit)) {
                let circle = circle.join(" after ");
                notes.error(
                    origin,
                    format!("{at} makes a circle, so none of these add-ons could ever start: {circle}; remove one"),
                );
            }
            if self.candidates.contains(after) {
                let message = format!("{at} is {after:?}, which is a candidate, so it is never done; roll it out");
                notes.warning(origin, message);
            }
            if policy.selects(after) && policy.spec.selector.add_ons.is_empty() && dependency.scope == Scope::Fleet {
                let message = format!("{at}: the policy selects {after} itself, which does not wait for itself");
                notes.warning(origin, message);
            }
        }
    }

    /// Reports what applications require in vain.
    pub(super) fn check_applications(&self, complaints: &mut Vec<Complaint>) {
        for application in &self.applications {
            let mut found = Vec::new();
            let mut notes = Notes { object: application.object, complaints: &mut found };
            for Required { name, by, origin } in &application.requires {
                let own = application.name.as_str();
                let name = name.as_ref();
                let problem = if name == own {
                    Some("which is the application itself; remove it".to_owned())
                } else if !self.units.contains(name) {
                    let remedy = remedy(name, self.units.iter().copied().filter(|unit| *unit != own));
                    Some(format!("which is not a unit of the repository; {remedy}"))
                } else if self.candidates.contains(name) {
                    Some("which is a candidate, so it is never done; roll it out, or require another unit".to_owned())
                } else {
                    let circle = self.circle(name, |unit| unit == own);
                    circle.map(|circle| {
                        format!(
                            "which makes a circle, so none of these could ever start: {}; remove one",
                            circle.join(" after ")
                        )
                    })
                };
                if let Some(problem) = problem {
                    notes.error(*origin, format!("{by} {name:?}, {problem}"));
                }
            }
            mark_from(&mut found, 0, Rule::Application);
            complaints.append(&mut found);
        }
    }

    /// Returns a circle of units, each of which waits for the next one: from one that `closes` it through others to `after`, for which it waits.
    fn circle<'s>(&'s self, after: &'s str, closes: impl Fn(&str) -> bool) -> Option<Vec<&'s str>> {
        // From each unit that can be reached from `after`, the one through which it was found.
        let mut found: BTreeMap<&str, &str> = BTreeMap::new();
        let mut open = vec![after];
        while let Some(unit) = open.pop() {
            for next in self.waits.get(unit).into_iter().flatten().copied() {
                if next != after && !found.contains_key(next) && self.units.contains(next) {
                    found.insert(next, unit);
                    open.push(next);
                }
            }
        }
        let start = found.keys().find(|unit| closes(unit) && **unit != after).copied()?;
        let mut circle = vec![start];
        let mut at = start;
        while let Some(before) = found.get(at).copied() {
            circle.push(before);
            at = before;
        }
        circle.reverse();
        circle.push(after);
        Some(circle)
    }
}

/// Returns what each unit waits for: because of policies, and because of itself.
fn waits<'a>(
    units: &BTreeSet<&'a str>,
    policies: &'a [Policy<'a>],
    applications: &[Application<'a>],
) -> BTreeMap<&'a str, Vec<&'a str>> {
    let ordered = |unit: &'a str| {
        let applying = policies.iter().filter(move |policy| policy.selects(unit));
        let after = applying.flat_map(|policy| &policy.spec.order).map(|dependency| dependency.after.as_str());
        (unit, after.filter(|after| *after != unit).collect::<Vec<_>>())
    };
    let mut waits: BTreeMap<_, _> = units.iter().copied().map(ordered).collect();
    for Application { name, requires, .. } in applications {
        let required = requires.iter().filter_map(|required| units.get(required.name.as_ref()).copied());
        let required = required.filter(|after| *after != name.as_str());
        waits.get_mut(name.as_str()).into_iter().for_each(|waits| waits.extend(required.clone()));
    }
    waits
}

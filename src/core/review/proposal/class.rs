//! Folds the clusters of an add-on into classes with the same change.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

use super::document::{Action, Class, GroupCount, WorkSize};
use super::label::Labels;
use super::manner::manners;
use super::names::folded;
use super::object::{Difference, difference};
use super::rendering::{Renderer, Undeliverable};
use tidegate_delivery::Rendered;
use tidegate_delivery::status::Desired;
use tidegate_model::name::ClusterName;
use tidegate_plan::Target;

/// One cluster of an add-on, before and after a change.
#[derive(Debug)]
pub(super) struct Member<'a> {
    pub(super) cluster: &'a ClusterName,
    pub(super) before: Option<Place<'a>>,
    pub(super) after: Option<Place<'a>>,
    /// Why the cluster cannot get what it should have, whatever that is.
    pub(super) obstacle: Option<&'a str>,
}

/// What a cluster should have, and in which group it gets it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) target: &'a Target,
    pub(super) group: &'a str,
}

/// The clusters of an add-on, folded.
#[derive(Debug, Default)]
pub(super) struct Folded<'a> {
    pub(super) classes: Vec<Class>,
    pub(super) unchanged: usize,
    /// The clusters that lose the add-on.
    pub(super) removed: BTreeSet<&'a ClusterName>,
    /// The clusters that get the add-on or other configurations.
    pub(super) changed: BTreeSet<&'a ClusterName>,
    /// The clusters whose objects cannot be delivered: they start, and do not succeed.
    pub(super) undeliverable: BTreeSet<&'a ClusterName>,
    pub(super) works: Option<WorkSize>,
}

/// What the clusters of a class have in common: what happens, why, and the hash of the difference.
type Key = (Action, Option<String>, String);

/// What happens to the clusters of one input.
struct Evaluated {
    action: Action,
    reason: Option<String>,
    difference: Arc<Difference>,
}

/// Folds clusters. `labels` has their labels, in the same order.
pub(super) fn fold<'a>(members: &[Member<'a>], labels: &Labels<'_>, renderer: &mut Renderer<'_>) -> Folded<'a> {
    let mut inputs: BTreeMap<Input<'a>, Vec<usize>> = BTreeMap::new();
    let mut variants = Variants::default();
    for (number, member) in members.iter().enumerate() {
        inputs.entry(variants.input(member)).or_default().push(number);
    }
    let mut evaluator = Evaluator { renderer, differences: HashMap::new(), empty: Arc::default(), works: None };
    let mut classes: BTreeMap<Key, (Arc<Difference>, Vec<usize>)> = BTreeMap::new();
    let mut folded = Folded::default();
    for (input, numbers) in inputs {
        let Some(member) = numbers.first().and_then(|number| members.get(*number)) else { continue };
        let Some(Evaluated { action, reason, difference }) = evaluator.evaluated(member, &input) else {
            folded.unchanged += numbers.len();
            continue;
        };
        let class =
            classes.entry((action, reason, difference.hash.clone())).or_insert_with(|| (difference, Vec::new()));
        class.1.extend(numbers);
    }
    for ((action, reason, _), (difference, mut numbers)) in classes {
        numbers.sort_unstable();
        let of_class: Vec<&Member<'a>> = numbers.iter().filter_map(|number| members.get(*number)).collect();
        match action {
            Action::Install | Action::Update => folded.changed.extend(of_class.iter().map(|member| member.cluster)),
            Action::Remove => folded.removed.extend(of_class.iter().map(|member| member.cluster)),
            Action::Blocked => folded.undeliverable.extend(of_class.iter().map(|member| member.cluster)),
            Action::Move => {}
        }
        let Some(first) = of_class.first() else { continue };
        folded.classes.push(Class {
            action,
            clusters: of_class.len(),
            exemplar: first.cluster.clone(),
            names: self::folded(of_class.iter().map(|member| member.cluster)),
            labels: labels.describing(&numbers),
            groups: groups(&of_class),
            reason,
            objects: difference.changes.clone(),
        });
    }
    let rank = |class: &Class| (class.action != Action::Blocked, usize::MAX - class.clusters, class.exemplar.clone());
    folded.classes.sort_by_key(rank);
    folded.works = evaluator.works;
    folded
}

fn groups(members: &[&Member<'_>]) -> Vec<GroupCount> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for place in members.iter().filter_map(|member| member.after.or(member.before)) {
        *counts.entry(place.group).or_default() += 1;
    }
    counts.into_iter().map(|(group, clusters)| GroupCount { group: group.to_owned(), clusters }).collect()
}

/// Everything that decides what changes for a cluster: what it has before and after, whether its group changes, and its obstacle.
type Input<'a> = (Option<Variant<'a>>, Option<Variant<'a>>, bool, Option<&'a str>);

/// The number of a list of configurations, and the registries of the cluster.
type Variant<'a> = (usize, Option<&'a str>);

/// The distinct lists of configurations.
#[derive(Debug, Default)]
struct Variants<'a> {
    by_address: HashMap<usize, usize>,
    by_value: BTreeMap<&'a [Desired], usize>,
}

impl<'a> Variants<'a> {
    fn input(&mut self, member: &Member<'a>) -> Input<'a> {
        let (before, after) = (member.before.map(|place| self.of(place)), member.after.map(|place| self.of(place)));
        let is_moved = member.before.zip(member.after).is_some_and(|(before, after)| before.group != after.group);
        (before, after, is_moved, member.obstacle)
    }

    fn of(&mut self, place: Place<'a>) -> Variant<'a> {
        // Clusters share their list, so most lists are known by their address.
        let desired = &place.target.desired;
        let next = self.by_value.len();
        let by_value = &mut self.by_value;
        let number = self
            .by_address
            .entry(Arc::as_ptr(desired).addr())
            .or_insert_with(|| *by_value.entry(desired.as_slice()).or_insert(next));
        (*number, place.target.registries.as_deref())
    }
}

/// Evaluates what changes for clusters.
struct Evaluator<'r, 'a> {
    renderer: &'r mut Renderer<'a>,
    /// Keyed by the addresses of both lists. The renderer owns the lists, so addresses are not reused.
    differences: HashMap<(usize, usize), Arc<Difference>>,
    /// The objects of a cluster that has none, or whose objects are not known.
    empty: Arc<Rendered>,
    works: Option<WorkSize>,
}

impl Evaluator<'_, '_> {
    /// Returns what changes for a cluster; `None` if nothing does.
    fn evaluated(&mut self, member: &Member<'_>, input: &Input<'_>) -> Option<Evaluated> {
        let (before, after, is_moved, obstacle) = input;
        if let Some(obstacle) = obstacle {
            return Some(Evaluated::blocked(obstacle));
        }
        if before == after {
            return is_moved.then(|| Evaluated {
                action: Action::Move,
                reason: Some("to another placement or group".to_owned()),
                difference: Arc::default(),
            });
        }
        let action = match (before, after) {
            (None, _) => Action::Install,
            (_, None) => Action::Remove,
            _ => Action::Update,
        };
        let [before, after] = [member.before, member.after].map(|place| place.map(|place| place.target));
        let open = open(before, after);
        let empty = Arc::clone(&self.empty);
        let old = before.and_then(|target| self.rendered(target, &open).ok()).unwrap_or_else(|| Arc::clone(&empty));
        let new = match after.map(|target| self.rendered(target, &open)).transpose() {
            Ok(new) => new.unwrap_or(empty),
            Err(why) => return Some(Evaluated::blocked(why)),
        };
        if after.is_some() {
            match self.renderer.works(member.cluster, &new) {
                Ok(size) => {
                    let bytes = |size: &Option<WorkSize>| size.as_ref().map(|size| size.largest);
                    if bytes(&size) > bytes(&self.works) {
                        self.works = size;
                    }
                }
                Err(why) => return Some(Evaluated::blocked(why)),
            }
        }
        let key = (Arc::as_ptr(&old).addr(), Arc::as_ptr(&new).addr());
        let manners = |target: Option<&Target>| {
            target.and_then(|target| target.template.as_deref()).map(manners).unwrap_or_default()
        };
        let compare = || Arc::new(difference((&old.objects, &manners(before)), (&new.objects, &manners(after))));
        let difference = self.differences.entry(key).or_insert_with(compare).clone();
        Some(Evaluated { action, reason: None, difference })
    }

    fn rendered(&mut self, target: &Target, open: &BTreeSet<String>) -> Result<Arc<Rendered>, Undeliverable> {
        if open.is_empty() {
            return self.renderer.rendered(target, open);
        }
        let own = Renderer::own_variables(target);
        // A value is inserted as it is, so one with these characters may not fit where its placeholder does.
        let is_odd = own.values().any(|value| value.contains(['"', '\\']) || value.contains(char::is_control));
        if is_odd {
            self.renderer.rendered(target, &BTreeSet::new())?;
        }
        self.renderer.rendered(target, open).or_else(|_| self.renderer.rendered(target, &BTreeSet::new()))
    }
}

impl Evaluated {
    fn blocked(why: impl fmt::Display) -> Self {
        Self { action: Action::Blocked, reason: Some(why.to_string()), difference: Arc::default() }
    }
}

/// Returns the variables that are left open: those that are a cluster's own and do not change.
fn open(before: Option<&Target>, after: Option<&Target>) -> BTreeSet<String> {
    let [before, after] = [before, after].map(|target| target.map(Renderer::own_variables));
    match (before, after) {
        (Some(before), Some(after)) => {
            let is_same = |(name, value): &(&String, &String)| before.get(*name) == Some(*value);
            after.iter().filter(is_same).map(|(name, _)| name.clone()).collect()
        }
        (Some(only), None) | (None, Some(only)) => only.into_keys().collect(),
        (None, None) => BTreeSet::new(),
    }
}

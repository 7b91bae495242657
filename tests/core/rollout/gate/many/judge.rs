//! Judges the starts of one moment by counting, without `gate`.

use std::collections::{BTreeMap, BTreeSet};

use tidegate_api::rollout_policy::{Joining, Limit, RolloutPolicySpec};
use tidegate_model::glob;
use tidegate_model::name::ClusterName;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_rollout::gate::{Aside, Standing};

use super::course::{Course, Seat};
use super::setting::begin;

/// A start: the number of the add-on, and the cluster.
pub(super) type Start = (usize, ClusterName);

/// Asserts that the starts of a moment pass no closed gate. The course is as it was before them.
pub(super) fn judge(course: &Course, asides: &[Aside], starts: &[Start]) {
    if starts.is_empty() {
        return;
    }
    let specs: Vec<&RolloutPolicySpec> = course.policies.values().map(|policy| &policy.spec).collect();
    let judge = Judge::of(course, asides, starts);
    starts.iter().for_each(|start| judge.required(start));
    for spec in &specs {
        let own: Vec<&Start> = starts.iter().filter(|(addon, _)| judge.is_about(spec, *addon)).collect();
        own.iter().for_each(|start| judge.start(spec, start, &specs));
        if !own.is_empty() {
            spec.limits.iter().for_each(|limit| judge.limit(spec, limit, &own));
        }
    }
}

struct Judge<'c> {
    course: &'c Course,
    /// The starts of each add-on.
    starts: Vec<BTreeSet<&'c ClusterName>>,
    /// The clusters of each add-on that took a slot before the starts.
    underway: Vec<BTreeSet<&'c ClusterName>>,
}

impl<'c> Judge<'c> {
    fn of(course: &'c Course, asides: &[Aside], all: &'c [Start]) -> Self {
        let mut starts = vec![BTreeSet::new(); course.plans.len()];
        for (addon, cluster) in all {
            starts[*addon].insert(cluster);
        }
        let of_addon = |((plan, seats), aside): ((_, &'c BTreeMap<ClusterName, Seat>), &Aside)| {
            let is_underway =
                |(name, seat): &(&_, &_)| !aside.includes(name) && course.standing(plan, seat) == Standing::Underway;
            seats.iter().filter(is_underway).map(|(name, _)| name).collect()
        };
        let underway = course.plans.iter().zip(&course.seats).zip(asides).map(of_addon).collect();
        Self { course, starts, underway }
    }

    fn is_about(&self, spec: &RolloutPolicySpec, addon: usize) -> bool {
        let globs = &spec.selector.add_ons;
        let name = self.course.plans[addon].name.as_str();
        globs.is_empty() || globs.iter().any(|pattern| glob::matches(pattern, name))
    }

    fn is_underway(&self, addon: usize, cluster: &ClusterName) -> bool {
        self.starts[addon].contains(cluster) || self.underway[addon].contains(cluster)
    }

    fn required(&self, (addon, cluster): &Start) {
        let plan = &self.course.plans[*addon];
        for (other, required) in self.course.plans.iter().enumerate() {
            let seat = self.course.seats[other].get(cluster);
            let is_done = seat.is_some_and(|seat| self.course.standing(required, seat) == Standing::Done);
            let (is_required, name) = (plan.requires.contains(&required.name), &required.name);
            assert!(is_done || !is_required, "{} on {cluster}: {name}, which it requires, is not done", plan.name);
        }
    }

    fn start(&self, spec: &RolloutPolicySpec, start: &Start, specs: &[&RolloutPolicySpec]) {
        let (addon, cluster) = start;
        let name = &self.course.plans[*addon].name;
        let machine = &self.course.machines[cluster];
        let (now, seats) = (self.course.now, &self.course.seats[*addon]);
        // Windows are written in UTC.
        let of_day = begin().duration_until(now).as_secs() / 60 + 12 * 60;
        let minutes = |text: &str| text[..2].parse::<i64>().unwrap() * 60 + text[3..].parse::<i64>().unwrap();
        let is_open = |window: &tidegate_api::rollout_policy::Window| {
            (minutes(&window.from)..minutes(&window.to)).contains(&(of_day % (24 * 60)))
        };
        assert!(spec.windows.is_empty() || spec.windows.iter().any(is_open), "{name} on {cluster}: outside of windows");
        for dependency in &spec.order {
            let other = self.course.plans.iter().position(|plan| plan.name.as_str() == dependency.after).unwrap();
            let seat = self.course.seats[other].get(cluster);
            let is_done =
                seat.is_none_or(|seat| self.course.standing(&self.course.plans[other], seat) == Standing::Done);
            assert!(is_done, "{name} on {cluster}: {} is not done", dependency.after);
        }
        for lock in &spec.locks {
            let holders = specs.iter().filter(|other| other.locks.contains(lock));
            let mut others = (0..self.course.plans.len()).filter(|other| other != addon);
            let busy = others.find(|other| {
                let shares = holders.clone().any(|holder| self.is_about(holder, *other));
                shares && !(self.starts[*other].is_empty() && self.underway[*other].is_empty())
            });
            assert_eq!(busy, None, "{name} on {cluster}: another add-on has {lock}");
        }
        if let Some(unreachable) = &spec.unreachable {
            assert!(machine.is_reachable, "{name} on {cluster}: it is unreachable");
            let parked = seats.keys().filter(|name| !self.course.machines[*name].is_reachable).count();
            let share = serde_json::to_value(unreachable.max_share.as_ref().unwrap()).unwrap();
            let percent: usize = share.as_str().unwrap().trim_end_matches('%').parse().unwrap();
            assert!(
                parked * 100 <= percent * seats.len(),
                "{name} on {cluster}: {parked} of {} are parked",
                seats.len()
            );
            let soak: i64 = unreachable.soak.as_ref().unwrap().trim_end_matches('s').parse().unwrap();
            assert!(
                machine.since + SignedDuration::from_secs(soak) <= now,
                "{name} on {cluster}: it has just returned"
            );
        }
        let joining =
            specs.iter().filter(|spec| self.is_about(spec, *addon)).filter_map(|spec| spec.membership.as_ref());
        let is_held = joining.map(|membership| membership.joining).max() == Some(Joining::Hold);
        assert!(!is_held || !seats[cluster].has_joined, "{name} on {cluster}: it joined in the middle");
    }

    /// Judges starts by a limit of a policy that is about all of them.
    fn limit(&self, spec: &RolloutPolicySpec, limit: &Limit, starts: &[&Start]) {
        let value = |cluster: &ClusterName| match &limit.label {
            Some(_) => self.course.machines[cluster].region,
            None => "",
        };
        let addons: Vec<usize> = (0..self.course.plans.len()).filter(|addon| self.is_about(spec, *addon)).collect();
        let mut underway: BTreeMap<&str, BTreeSet<&ClusterName>> = BTreeMap::new();
        let (mut were_counted, mut were_busy, mut recent) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
        for addon in &addons {
            for name in &self.underway[*addon] {
                were_counted.insert(*name);
                were_busy.insert(value(name));
            }
            for name in self.underway[*addon].union(&self.starts[*addon]) {
                underway.entry(value(name)).or_default().insert(name);
            }
            for (name, seat) in &self.course.seats[*addon] {
                *recent.entry(value(name)).or_default() += u32::from(self.has_just_started(*addon, name, seat.started));
            }
        }
        let values = u32::try_from(underway.len()).unwrap();
        let is_within = |limit: Option<u32>, count: u32| limit.is_none_or(|limit| count <= limit);
        for (addon, cluster) in starts {
            let name = &self.course.plans[*addon].name;
            let own = value(cluster);
            let is_other = |other: &&usize| *other != addon && self.is_underway(**other, cluster);
            let others = u32::try_from(addons.iter().filter(is_other).count()).unwrap();
            let count = u32::try_from(underway[own].len()).unwrap();
            let was_counted = were_counted.contains(cluster);
            assert!(was_counted || is_within(limit.max_clusters, count), "{name} on {cluster}: {count} under way");
            let was_busy = were_busy.contains(own);
            assert!(was_busy || is_within(limit.max_values, values), "{name} on {cluster}: {values} values under way");
            assert!(
                limit.max_add_ons_per_cluster.is_none_or(|limit| others < limit),
                "{name} on {cluster}: {others} others"
            );
            let recent = recent[own];
            assert!(is_within(limit.starts_per_minute, recent), "{name} on {cluster}: {recent} starts within a minute");
        }
    }

    fn has_just_started(&self, addon: usize, cluster: &ClusterName, started: Option<Timestamp>) -> bool {
        let minute_ago = self.course.now - SignedDuration::from_secs(60);
        self.starts[addon].contains(cluster) || started.is_some_and(|started| started > minute_ago)
    }
}

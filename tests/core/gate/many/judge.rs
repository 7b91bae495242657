//! Judges the starts of one moment by counting, without `gate`.

use std::collections::{BTreeMap, BTreeSet};

use tidegate_api::rollout_policy::{Joining, Limit, RolloutPolicySpec};
use tidegate_core::gate::{Aside, Standing};
use tidegate_model::glob;
use tidegate_model::name::ClusterName;
use tidegate_model::time::{SignedDuration, Timestamp};

use super::course::Course;
use super::setting::begin;

/// A start: the number of the add-on, and the cluster.
pub(super) type Start = (usize, ClusterName);

/// Asserts that the starts of a moment pass no closed gate. The course is as it was before them.
pub(super) fn judge(course: &Course, asides: &[Aside], starts: &[Start]) {
    let specs: Vec<&RolloutPolicySpec> = course.policies.values().map(|policy| &policy.spec).collect();
    let judge = Judge { course, asides, starts: starts.iter().cloned().collect() };
    for start in starts {
        for spec in specs.iter().filter(|spec| judge.is_about(spec, start.0)) {
            judge.start(spec, start, &specs);
        }
    }
}

struct Judge<'c> {
    course: &'c Course,
    asides: &'c [Aside],
    starts: BTreeSet<Start>,
}

impl Judge<'_> {
    fn is_about(&self, spec: &RolloutPolicySpec, addon: usize) -> bool {
        let globs = &spec.selector.add_ons;
        let name = self.course.plans[addon].name.as_str();
        globs.is_empty() || globs.iter().any(|pattern| glob::matches(pattern, name))
    }

    /// Returns `true` if a cluster took a slot before the starts.
    fn was_underway(&self, addon: usize, cluster: &ClusterName) -> bool {
        let plan = &self.course.plans[addon];
        let seat = self.course.seats[addon].get(cluster);
        !self.asides[addon].includes(cluster)
            && seat.is_some_and(|seat| self.course.standing(plan, seat) == Standing::Underway)
    }

    fn is_underway(&self, addon: usize, cluster: &ClusterName) -> bool {
        self.starts.contains(&(addon, cluster.clone())) || self.was_underway(addon, cluster)
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
        for limit in &spec.limits {
            self.limit(spec, limit, start);
        }
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
                shares && self.course.seats[*other].keys().any(|cluster| self.is_underway(*other, cluster))
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

    fn limit(&self, spec: &RolloutPolicySpec, limit: &Limit, (addon, cluster): &Start) {
        let name = &self.course.plans[*addon].name;
        let value = |cluster: &ClusterName| match &limit.label {
            Some(_) => self.course.machines[cluster].region,
            None => "",
        };
        let own = value(cluster);
        let addons: Vec<usize> = (0..self.course.plans.len()).filter(|addon| self.is_about(spec, *addon)).collect();
        let mut underway: BTreeMap<&str, BTreeSet<&ClusterName>> = BTreeMap::new();
        let (mut was_counted, mut was_busy, mut others, mut recent) = (false, false, 0, 0);
        for other in addons {
            for (name, seat) in &self.course.seats[other] {
                if self.is_underway(other, name) {
                    underway.entry(value(name)).or_default().insert(name);
                    others += u32::from(other != *addon && name == cluster);
                }
                was_counted |= name == cluster && self.was_underway(other, name);
                was_busy |= value(name) == own && self.was_underway(other, name);
                recent += u32::from(value(name) == own && self.has_just_started(other, name, seat.started));
            }
        }
        let count = u32::try_from(underway[own].len()).unwrap();
        let values = u32::try_from(underway.len()).unwrap();
        let is_within = |limit: Option<u32>, count: u32| limit.is_none_or(|limit| count <= limit);
        assert!(was_counted || is_within(limit.max_clusters, count), "{name} on {cluster}: {count} under way");
        assert!(was_busy || is_within(limit.max_values, values), "{name} on {cluster}: {values} values under way");
        assert!(
            limit.max_add_ons_per_cluster.is_none_or(|limit| others < limit),
            "{name} on {cluster}: {others} others"
        );
        assert!(is_within(limit.starts_per_minute, recent), "{name} on {cluster}: {recent} starts within a minute");
    }

    fn has_just_started(&self, addon: usize, cluster: &ClusterName, started: Option<Timestamp>) -> bool {
        let minute_ago = self.course.now - SignedDuration::from_secs(60);
        self.starts.contains(&(addon, cluster.clone())) || started.is_some_and(|started| started > minute_ago)
    }
}

//! Judges one start by all policies and control files that are about it.

use super::case::{Case, Judging};
use super::{approvals, calendar, control, joins, limits, order, reach};

use super::bar::Bar;
use crate::scenario::Scenario;
use crate::start::Start;
use crate::violation::Violation;
use tidegate_model::name::ClusterName;

/// Returns the violations of policies and control files by a start.
pub(crate) fn violations(
    scenario: &Scenario<'_>,
    judging: &Judging<'_>,
    placement: Option<usize>,
    start: &Start<'_>,
) -> Vec<Violation> {
    let span = scenario.span();
    let cluster = start.cluster;
    let mut bars: Vec<Bar> = control::bar(scenario.declaring, span.addon, cluster).into_iter().collect();
    let [before, traffic_after] = &judging.traffic;
    let traffic = if std::ptr::eq(scenario.declaring, span.before) { before } else { traffic_after };
    let seen = [span.before, span.after].map(|snapshot| snapshot.fleet.clusters.get(cluster));
    let [Some(was), Some(is)] = seen else { return barred(scenario, cluster, bars) };
    let case = Case {
        scenario,
        placement,
        group: scenario.group(cluster),
        cluster,
        at: start.at,
        policies: scenario.policies_of(placement),
        seen: [was, is],
        traffic,
        started: judging.started,
    };
    bars.extend(forbidding(&case));
    barred(scenario, cluster, bars)
}

/// Returns everything that forbade a start.
fn forbidding(case: &Case<'_>) -> Vec<Bar> {
    let span = case.scenario.span();
    let is_way_back = case.scenario.declared.rolls_back;
    let mut found = Vec::new();
    for policy in case.applying() {
        // The way back needs no approval, window, order or lock.
        if !is_way_back {
            found.extend(approvals::missing(case, policy));
            let closed = calendar::closed(policy, span.before.now, span.until);
            found.extend(closed.filter(|_| !approvals::breaks_glass(case, policy)));
            found.extend(order::early(case, policy));
            found.extend(order::locked(case, policy));
        }
        found.extend(case.both(|fleet| limits::exceeded(case, policy, fleet)));
    }
    found.extend(order::required(case).filter(|_| !is_way_back));
    let returned = || case.both(|fleet| reach::returned(case, fleet, span.until)).filter(|_| !is_way_back);
    found.extend(case.both(|fleet| reach::parked(case, fleet)).or_else(returned));
    found.extend(reach::too_many(case));
    found.extend(joins::held(case));
    found.extend(case.newer_group().filter(|_| is_way_back));
    found
}

fn barred(scenario: &Scenario<'_>, cluster: &ClusterName, bars: Vec<Bar>) -> Vec<Violation> {
    let violation =
        |bar| Violation::Barred { addon: scenario.addon().clone(), cluster: cluster.clone(), bar: Box::new(bar) };
    bars.into_iter().map(violation).collect()
}

//! Judges one start by all policies and control files that are about it.

use super::case::{Case, Judging};

use super::bar::Bar;
use super::control;
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
    bars.extend(case.bars());
    barred(scenario, cluster, bars)
}

fn barred(scenario: &Scenario<'_>, cluster: &ClusterName, bars: Vec<Bar>) -> Vec<Violation> {
    let violation =
        |bar| Violation::Barred { addon: scenario.addon().clone(), cluster: cluster.clone(), bar: Box::new(bar) };
    bars.into_iter().map(violation).collect()
}

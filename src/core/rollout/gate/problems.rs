//! What is wrong with a RolloutPolicy, beyond its schema.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;

use super::calendar::{Closure, Opening};
use super::checks::Check;
use super::problem::{Problem, duration};
use crate::placement::Selector;
use tidegate_api::rollout_policy::{Approval, Limit, RolloutPolicySpec};
use tidegate_api::schema::path::Path;
use tidegate_consent::misnamed;
use tidegate_model::time::{SignedDuration, Timestamp};

/// Returns the problems of a policy. A policy with a problem keeps all clusters that it selects from starting.
pub fn problems(spec: &RolloutPolicySpec) -> Vec<Problem> {
    let mut found = Vec::new();
    let at = Path::default().member("spec");
    labels(&at.member("selector"), spec.selector.clusters.as_ref(), &mut found);
    for (index, approval) in spec.approvals.iter().enumerate() {
        let at = at.member("approvals").item(index);
        approvers(&at, approval, &mut found);
    }
    if let Some(approval) = &spec.break_glass {
        approvers(&at.member("breakGlass"), approval, &mut found);
    }
    for (index, window) in spec.windows.iter().enumerate() {
        let at = at.member("windows").item(index);
        found.extend(Opening::read(window).err().map(|(field, why)| written(&at, field, &why)));
    }
    for (index, freeze) in spec.freezes.iter().enumerate() {
        let at = at.member("freezes").item(index);
        found.extend(Closure::read(freeze).err().map(|(field, why)| written(&at, field, &why)));
    }
    for (index, limit) in spec.limits.iter().enumerate() {
        found.extend(of_limit(&at.member("limits").item(index), limit));
    }
    if let Some(unreachable) = &spec.unreachable {
        duration(&at.member("unreachable").member("soak"), unreachable.soak.as_deref(), &mut found);
    }
    checks(spec, &mut found);
    found
}

/// Returns the checks of a policy that can be evaluated, and adds the problems of the others.
pub(super) fn checks(spec: &RolloutPolicySpec, found: &mut Vec<Problem>) -> Vec<Check> {
    let mut checks = Vec::new();
    for (index, check) in spec.checks.iter().enumerate() {
        let at = Path::default().member("spec").member("checks").item(index);
        if spec.checks.iter().take(index).any(|earlier| earlier.name == check.name) {
            let at = at.member("name");
            found.push((
                at.clone(),
                format!("{at} is {:?}, as that of an earlier check; choose another one", check.name),
            ));
        }
        checks.extend(Check::read(&at, check, found));
    }
    checks
}

fn approvers(at: &Path, approval: &Approval, found: &mut Vec<Problem>) {
    duration(&at.member("maxAge"), approval.max_age.as_deref(), found);
    for (index, name) in approval.of.iter().enumerate() {
        let at = at.member("of").item(index);
        found.extend(misnamed(name).map(|why| (at.clone(), format!("{at} {why}"))));
    }
}

fn written(at: &Path, field: &'static str, why: &str) -> Problem {
    let at = at.member(field);
    (at.clone(), format!("{at} {why}"))
}

fn labels(at: &Path, selector: Option<&LabelSelector>, found: &mut Vec<Problem>) {
    if let Some(Err(why)) = selector.map(Selector::labels) {
        let at = at.member("clusters");
        found.push((at.clone(), format!("{at} is not a valid label selector: {why}; fix it")));
    }
}

fn of_limit(at: &Path, limit: &Limit) -> Option<Problem> {
    let Limit { name: _, label, max_clusters, max_values, max_add_ons_per_cluster, starts_per_minute } = limit;
    if [max_clusters, max_values, max_add_ons_per_cluster, starts_per_minute].iter().all(|limit| limit.is_none()) {
        let fields = "maxClusters, maxValues, maxAddOnsPerCluster or startsPerMinute";
        return Some((at.clone(), format!("{at} limits nothing; write {fields}")));
    }
    (max_values.is_some() && label.is_none()).then(|| {
        let at = at.member("maxValues");
        (at.clone(), format!("{at} needs a label whose values are counted; write label"))
    })
}

/// A week in winter and one in summer, in which windows are compared.
const WEEKS: [i64; 2] = [1_767_571_200, 1_783_296_000];

/// Returns `false` if no moment of the week is in a window of both policies, so that a cluster that both select never starts. Policies
/// that both select clusters by labels, and not by the same ones, are not compared: they may select others.
pub fn windows_meet(one: &RolloutPolicySpec, other: &RolloutPolicySpec) -> bool {
    let selected = [&one.selector.clusters, &other.selector.clusters];
    if selected[0] != selected[1] && selected.iter().all(|selector| selector.is_some()) {
        return true;
    }
    let [Some(one), Some(other)] = [one, other].map(openings) else { return true };
    let is_open = |openings: &[Opening], at| openings.iter().any(|opening| opening.closes(at).is_some());
    // Two windows meet when the later one of them opens.
    let meet_in = |week: Timestamp| {
        one.iter()
            .chain(&other)
            .flat_map(|opening| starts(opening, week))
            .any(|at| is_open(&one, at) && is_open(&other, at))
    };
    WEEKS.into_iter().filter_map(|second| Timestamp::from_second(second).ok()).any(meet_in)
}

/// Returns the windows of a policy, if it has some and all of them can be read.
fn openings(spec: &RolloutPolicySpec) -> Option<Vec<Opening>> {
    let windows = Some(&spec.windows).filter(|windows| !windows.is_empty())?;
    windows.iter().map(|window| Opening::read(window).ok()).collect()
}

/// Returns when a window opens in the eight days after a moment.
fn starts(opening: &Opening, from: Timestamp) -> impl Iterator<Item = Timestamp> + '_ {
    let end = from.checked_add(SignedDuration::from_hours(24 * 8)).unwrap_or(Timestamp::MAX);
    let next = |at: &Timestamp| opening.opens(*at);
    std::iter::successors(opening.opens(from), next).take_while(move |at| *at < end)
}

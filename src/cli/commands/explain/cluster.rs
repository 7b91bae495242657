//! The explanation of one cluster.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use owo_colors::OwoColorize as _;

use super::{gates, line};
use tidegate_journal::record::{AddonStatus, ClusterReport};
use tidegate_model::line::one_line;
use tidegate_model::name::ClusterName;
use tidegate_model::progress::ClusterState;
use tidegate_model::time::Timestamp;
use tidegate_page::view::waiting::change_at;

/// Returns which cluster next changes because time passes, with its state and the time: the given one, or else the first of
/// the others, which may let the given one continue.
pub(super) fn next_change<'a>(
    name: &'a ClusterName,
    clusters: &'a BTreeMap<ClusterName, ClusterReport>,
) -> Option<(&'a ClusterName, ClusterState, Timestamp)> {
    let change = |(name, report): (&'a ClusterName, &'a ClusterReport)| Some((name, report.state, report.look_at?));
    let own = clusters.get_key_value(name).and_then(change);
    own.or_else(|| clusters.iter().filter_map(change).min_by_key(|(_, _, at)| *at))
}

/// Explains one cluster. `next` is the cluster that next changes because time passes.
pub(super) fn cluster(
    status: &AddonStatus,
    name: &ClusterName,
    report: &ClusterReport,
    next: Option<(&ClusterName, ClusterState, Timestamp)>,
) -> String {
    let ClusterReport {
        state,
        version,
        hash,
        group,
        placement,
        joined,
        started,
        since,
        reason,
        reported,
        degraded,
        left_out,
        opens,
        look_at,
    } = report;
    let time = |at: &Option<Timestamp>| at.map(|at| at.to_string());
    let wanted = if *version == status.version { String::new() } else { format!(", should get {}", status.version) };
    let has = if version.is_empty() { "nothing yet" } else { version };
    let next = next.filter(|_| *state != ClusterState::Succeeded).map(|(other, state, at)| {
        format!("{} {}", if other == name { "this cluster" } else { other.as_str() }, change_at(state, &at.to_string()))
    });
    let opens = Some(opens).filter(|opens| !opens.is_empty() && !line::is_explained_by_time(*state, *look_at));
    let lines = [
        ("state", Some(state.to_string())),
        ("since", time(since)),
        ("has", Some(format!("{has}{wanted}"))),
        ("hash", Some(hash.clone())),
        ("group", group.map(|group| group.to_string())),
        ("placement", Some(placement.clone())),
        ("started", time(started)),
        ("joined", time(joined)),
        ("reason", Some(reason.clone())),
        ("gate", gates::of_cluster(status, report)),
        ("conditions", reported.map(|at| format!("of its works last changed at {at}"))),
        ("degraded", degraded.clone()),
        (
            "left out",
            left_out.as_ref().filter(|why| *why != reason).map(|why| format!("{why}: the rollout may end without it")),
        ),
        ("continues", opens.map(|opens| format!("when {opens}"))),
        ("next", next),
        ("rule", line::row(status, *state, reason)),
        ("add-on", status.problem.clone()),
        ("revision", line::revision(status).filter(|_| !state.is_settled())),
    ];
    let mut text = format!("{} on {}\n", status.addon.bold(), name.bold());
    for (label, line) in lines {
        if let Some(line) = line.filter(|line| !line.is_empty()) {
            // Writing into a String cannot fail.
            let _ = writeln!(text, "  {label:<10} {}", one_line(&line));
        }
    }
    text
}

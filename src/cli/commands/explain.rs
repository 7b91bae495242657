//! `tidegate explain`: why each cluster of an add-on is in its state, what it waits for, and when it is checked next.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use owo_colors::OwoColorize as _;
use serde_json::json;

use crate::cli::args::ExplainArgs;
use crate::cli::failure::Failure;
use crate::cli::journal::reader;
use crate::cli::output::cluster_table;
use crate::cli::output::document::printed;
use crate::cli::output::status_table;
use crate::cli::output::stdout::{say, say_line};
use tidegate_core::journal::clusters;
use tidegate_core::journal::record::ClusterRecord;
use tidegate_core::journal::record::{AddonStatus, Cause};
use tidegate_model::line::one_line;
use tidegate_model::name::ClusterName;
use tidegate_model::plural::first_of;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_model::time::Timestamp;

/// The rows of the table in `docs/removal.md` that [`row`] names, by their first words.
const WITHDRAWN: &str = "the add-on leaves the repository";
const UNSELECTED: &str = "no placement selects the cluster any longer";

/// Number of clusters with the same reason that are named; `-o json` names all.
const NAMED: usize = 8;

/// Explains an add-on, or one cluster of it.
pub(crate) async fn run(args: ExplainArgs) -> Result<(), Failure> {
    let reader = reader::Reader::open(&args.source).await?;
    let journal = reader.read().await?;
    let status = reader::addon(&journal, &args.addon)?;
    let path = format!("addons/{}/clusters.yaml", args.addon);
    let bytes = journal.files.get(&path).map(Vec::as_slice).unwrap_or_default();
    let clusters = clusters::read(bytes).map_err(|error| {
        Failure::Usage(format!("{path} in the journal cannot be read: {error}; a running daemon writes it again"))
    })?;
    let Some(name) = &args.cluster else {
        return match args.output {
            Some(output) => say_line(&printed(output, &json!({ "addon": status, "clusters": clusters }))?),
            None => say(&addon(status, &clusters)),
        };
    };
    let report = clusters.get(name.as_str()).ok_or_else(|| {
        let problem = format!("no placement of {} selects a cluster {name:?}", args.addon);
        Failure::Usage(format!("{problem}; `tidegate status {}` lists the clusters that have it", args.addon))
    })?;
    let wake_at = report.look_at.or_else(|| wake_at(&clusters));
    match args.output {
        Some(output) => {
            let document = json!({ "addon": args.addon, "cluster": name, "report": report, "nextLook": wake_at });
            say_line(&printed(output, &document)?)
        }
        None => say(&cluster(status, name, report, wake_at)),
    }
}

/// Returns the first moment at which one of the clusters can change by itself. Clusters that wait for it may continue then, too.
fn wake_at(clusters: &BTreeMap<ClusterName, ClusterRecord>) -> Option<Timestamp> {
    clusters.values().filter_map(|cluster| cluster.look_at).min()
}

fn next_wake(wake_at: Option<Timestamp>) -> String {
    match wake_at {
        Some(at) => format!("when something changes, or at {at} at the latest"),
        None => "when something changes".to_owned(),
    }
}

fn cluster(status: &AddonStatus, name: &str, report: &ClusterRecord, wake_at: Option<Timestamp>) -> String {
    let ClusterRecord { state, version, hash, group, placement, started, since, reason, degraded, opens, look_at: _ } =
        report;
    let time = |at: &Option<Timestamp>| at.map(|at| at.to_string());
    let wanted = if *version == status.version { String::new() } else { format!(", should get {}", status.version) };
    let has = if version.is_empty() { "nothing yet" } else { version };
    let next = (*state != ClusterState::Succeeded).then(|| next_wake(wake_at));
    let lines = [
        ("state", Some(state.to_string())),
        ("since", time(since)),
        ("has", Some(format!("{has}{wanted}"))),
        ("hash", Some(hash.clone())),
        ("group", group.map(|group| group.to_string())),
        ("placement", Some(placement.clone())),
        ("started", time(started)),
        ("reason", Some(reason.clone())),
        ("degraded", degraded.clone()),
        ("continues", Some(opens.clone()).filter(|opens| !opens.is_empty()).map(|opens| format!("when {opens}"))),
        ("next check", next),
        ("rule", row(status, *state)),
        ("add-on", status.problem.clone()),
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

/// Returns the row of the table in `docs/removal.md` that explains why the add-on is removed from a cluster in this state.
fn row(status: &AddonStatus, state: ClusterState) -> Option<String> {
    let is_withdrawn = matches!(status.phase, Phase::Removing | Phase::Held)
        && status.rollout.as_ref().is_some_and(|rollout| rollout.cause == Cause::Withdrawal);
    let row = if is_withdrawn { WITHDRAWN } else { UNSELECTED };
    state.is_unselected().then(|| format!("{row:?} in docs/removal.md"))
}

fn addon(status: &AddonStatus, clusters: &BTreeMap<ClusterName, ClusterRecord>) -> String {
    let mut text = status_table::table(std::iter::once(status_table::Row::of_journal(status)));
    let mut reasons: BTreeMap<Reason<'_>, Vec<&ClusterName>> = BTreeMap::new();
    for (name, report) in clusters {
        reasons.entry(Reason::of(report)).or_default().push(name);
    }
    for (reason, names) in reasons {
        let because = if reason.reason.is_empty() { String::new() } else { format!(": {}", reason.reason) };
        let degraded = reason.degraded.map(|why| format!(", degraded: {why}")).unwrap_or_default();
        let because = one_line(&format!("{because}{degraded}"));
        let _ = writeln!(text, "\n{} {}{because}", names.len(), reason.state);
        if !reason.opens.is_empty() {
            let _ = writeln!(text, "  continues  when {}", one_line(reason.opens));
        }
        let times = names.iter().filter_map(|name| clusters.get(*name)?.look_at);
        if let Some(at) = times.min() {
            let _ = writeln!(text, "  next check {}", next_wake(Some(at)));
        }
        if let Some(row) = row(status, reason.state) {
            let _ = writeln!(text, "  rule       {row}");
        }
        let _ = writeln!(text, "  clusters   {}", first_of(names.iter().map(|name| name.as_str()), NAMED));
    }
    text
}

/// The key by which clusters are grouped.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Reason<'a> {
    /// Its position in the list.
    order: u8,
    state: ClusterState,
    reason: &'a str,
    degraded: Option<&'a str>,
    opens: &'a str,
}

impl<'a> Reason<'a> {
    /// Returns the key for a cluster. The reason of a soaking cluster contains its own time, so it is not part of the key.
    fn of(report: &'a ClusterRecord) -> Self {
        let is_own = report.state == ClusterState::Soaking;
        let reason = if is_own { "" } else { report.reason.as_str() };
        let order = cluster_table::order(report.state);
        Self { order, state: report.state, reason, degraded: report.degraded.as_deref(), opens: &report.opens }
    }
}

#[cfg(test)]
mod tests {
    use super::{UNSELECTED, WITHDRAWN};

    #[test]
    fn the_named_rows_are_in_the_documentation() {
        let document = include_str!("../../../docs/removal.md");
        for row in [UNSELECTED, WITHDRAWN] {
            assert!(document.lines().any(|line| line.starts_with(&format!("| {row}"))), "{row}");
        }
    }
}

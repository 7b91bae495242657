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
use tidegate_model::error_chain::ErrorChain;
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
        let why = ErrorChain(&error);
        Failure::Usage(format!("{path} in the journal cannot be read: {why}; a running daemon writes it again"))
    })?;
    let Some(name) = &args.cluster else {
        return match args.output {
            Some(output) => say_line(&printed(output, &json!({ "addon": status, "clusters": clusters }))?),
            None => say(&addon(status_table::Row::of_journal(status, journal.sync.as_ref()), status, &clusters)),
        };
    };
    let (name, report) = clusters.get_key_value(name.as_str()).ok_or_else(|| {
        let problem = format!("no placement of {} selects a cluster {name:?}", args.addon);
        Failure::Usage(format!("{problem}; `tidegate status {}` lists the clusters that have it", args.addon))
    })?;
    let next = next_change(name, &clusters);
    match args.output {
        Some(output) => {
            let next = next.map(|(_, _, at)| at);
            let document = json!({ "addon": args.addon, "cluster": name, "report": report, "nextLook": next });
            say_line(&printed(output, &document)?)
        }
        None => say(&cluster(status, name, report, next)),
    }
}

/// Returns which cluster next changes because time passes, with its state and the time: the given one, or else the first of
/// the others, which may let the given one continue.
fn next_change<'a>(
    name: &'a ClusterName,
    clusters: &'a BTreeMap<ClusterName, ClusterRecord>,
) -> Option<(&'a ClusterName, ClusterState, Timestamp)> {
    let change = |(name, report): (&'a ClusterName, &'a ClusterRecord)| Some((name, report.state, report.look_at?));
    let own = clusters.get_key_value(name).and_then(change);
    own.or_else(|| clusters.iter().filter_map(change).min_by_key(|(_, _, at)| *at))
}

/// Describes what happens to a cluster in a state at a time that the journal names.
fn change_at(state: ClusterState, at: Timestamp) -> String {
    match state {
        ClusterState::Progressing => format!("counts as failed at {at}, unless it is done before"),
        ClusterState::Failed => format!("times out at {at}, unless it recovers before"),
        ClusterState::Soaking => format!("is done at {at}, if it stays healthy until then"),
        ClusterState::Waiting => format!("may start at {at}"),
        _ => format!("is checked again at {at}"),
    }
}

fn cluster(
    status: &AddonStatus,
    name: &ClusterName,
    report: &ClusterRecord,
    next: Option<(&ClusterName, ClusterState, Timestamp)>,
) -> String {
    let ClusterRecord { state, version, hash, group, placement, started, since, reason, degraded, opens, look_at } =
        report;
    let time = |at: &Option<Timestamp>| at.map(|at| at.to_string());
    let wanted = if *version == status.version { String::new() } else { format!(", should get {}", status.version) };
    let has = if version.is_empty() { "nothing yet" } else { version };
    let next = next.filter(|_| *state != ClusterState::Succeeded).map(|(other, state, at)| {
        format!("{} {}", if other == name { "this cluster" } else { other.as_str() }, change_at(state, at))
    });
    let opens = Some(opens).filter(|opens| !opens.is_empty() && !is_explained_by_time(*state, *look_at));
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
        ("continues", opens.map(|opens| format!("when {opens}"))),
        ("next", next),
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

/// Returns `true` if the time of the next change states everything that the cluster waits for.
fn is_explained_by_time(state: ClusterState, at: Option<Timestamp>) -> bool {
    state == ClusterState::Soaking && at.is_some()
}

/// Returns the row of the table in `docs/removal.md` that explains why the add-on is removed from a cluster in this state.
fn row(status: &AddonStatus, state: ClusterState) -> Option<String> {
    let is_withdrawn = matches!(status.phase, Phase::Removing | Phase::Held)
        && status.rollout.as_ref().is_some_and(|rollout| rollout.cause == Cause::Withdrawal);
    let row = if is_withdrawn { WITHDRAWN } else { UNSELECTED };
    state.is_unselected().then(|| format!("{row:?} in docs/removal.md"))
}

fn addon(
    row_of_addon: status_table::Row<'_>,
    status: &AddonStatus,
    clusters: &BTreeMap<ClusterName, ClusterRecord>,
) -> String {
    let mut text = status_table::table(std::iter::once(row_of_addon));
    let mut reasons: BTreeMap<Reason<'_>, Vec<&ClusterName>> = BTreeMap::new();
    for (name, report) in clusters {
        reasons.entry(Reason::of(report)).or_default().push(name);
    }
    for (reason, names) in reasons {
        let because = if reason.reason.is_empty() { String::new() } else { format!(": {}", reason.reason) };
        let degraded = reason.degraded.map(|why| format!(", degraded: {why}")).unwrap_or_default();
        let because = one_line(&format!("{because}{degraded}"));
        let _ = writeln!(text, "\n{} {}{because}", names.len(), reason.state);
        let first = names.iter().filter_map(|name| clusters.get(*name)?.look_at).min();
        if !reason.opens.is_empty() && !is_explained_by_time(reason.state, first) {
            let _ = writeln!(text, "  continues  when {}", one_line(reason.opens));
        }
        if let Some(at) = first {
            let who = if names.len() == 1 { "this cluster" } else { "the first of them" };
            let _ = writeln!(text, "  next       {who} {}", change_at(reason.state, at));
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
    use super::*;

    #[test]
    fn the_named_rows_are_in_the_documentation() {
        let document = include_str!("../../../docs/removal.md");
        for row in [UNSELECTED, WITHDRAWN] {
            assert!(document.lines().any(|line| line.starts_with(&format!("| {row}"))), "{row}");
        }
    }

    fn record(text: &str) -> ClusterRecord {
        serde_json::from_str(&format!("{{{text}}}")).unwrap()
    }

    fn status() -> AddonStatus {
        let text = "apiVersion: tidegate.io/v1alpha1\nkind: AddonStatus\naddon: hello\nversion: 0.4.1\nphase: Progressing\n\
                    since: 2026-11-21T10:00:00Z\nclusters: {total: 1, succeeded: 0, progressing: 1, failed: 0, waiting: 0}\n";
        serde_saphyr::from_str(text).unwrap()
    }

    #[test]
    fn the_time_of_the_next_change_is_shown_with_what_happens_then() {
        let at = r#""lookAt":"2026-11-21T10:10:00Z""#;
        let clusters: BTreeMap<ClusterName, ClusterRecord> = [
            ("a", record(&format!(r#""state":"Progressing","reason":"x","opens":"y",{at}"#))),
            ("b", record(r#""state":"Waiting","reason":"waits for a","opens":"a is done""#)),
            ("c", record(&format!(r#""state":"Soaking","opens":"it stays healthy until then",{at}"#))),
            ("d", record(&format!(r#""state":"Soaking","opens":"it stays healthy until then",{at}"#))),
            ("e", record(r#""state":"TimedOut","reason":"x","opens":"it recovers""#)),
        ]
        .map(|(name, record)| (name.parse().unwrap(), record))
        .into();
        let status = status();
        let all = addon(status_table::Row::of_journal(&status, None), &status, &clusters);
        let lines: Vec<&str> = all.lines().filter(|line| line.contains("next") || line.contains("continues")).collect();
        let expected = [
            "  continues  when it recovers",
            "  continues  when y",
            "  next       this cluster counts as failed at 2026-11-21T10:10:00Z, unless it is done before",
            "  next       the first of them is done at 2026-11-21T10:10:00Z, if it stays healthy until then",
            "  continues  when a is done",
        ];
        assert_eq!(lines, expected, "{all}");
        let one = |name: &str| {
            let (name, report) = clusters.get_key_value(name).unwrap();
            cluster(&status, name, report, next_change(name, &clusters))
        };
        let waiting = one("b");
        let next = "  next       a counts as failed at 2026-11-21T10:10:00Z, unless it is done before";
        assert!(waiting.lines().any(|line| line == next), "{waiting}");
        assert!(!one("c").contains("continues"), "{}", one("c"));
    }
}

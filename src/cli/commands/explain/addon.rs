//! The explanation of an add-on: its clusters by their reason, so that a thousand clusters with the same cause are one entry.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{gates, line};
use crate::cli::output::cluster_table;
use crate::cli::output::status_table;
use tidegate_journal::record::{AddonStatus, ClusterReport};
use tidegate_model::line::{one_line, without_numbers};
use tidegate_model::name::ClusterName;
use tidegate_model::plural::first_of;
use tidegate_model::progress::ClusterState;
use tidegate_page::view::waiting::change_at;

/// Number of clusters with the same reason that are named; `-o json` names all.
const NAMED: usize = 8;

/// Explains all clusters of an add-on, those with the same reason together.
pub(super) fn addon(
    row_of_addon: status_table::Row<'_>,
    status: &AddonStatus,
    clusters: &BTreeMap<ClusterName, ClusterReport>,
) -> String {
    let mut text = status_table::table(std::iter::once(row_of_addon));
    if let Some(revision) = line::revision(status) {
        // Writing into a String cannot fail.
        let _ = writeln!(text, "  {}", one_line(&revision));
    }
    let mut reasons: BTreeMap<Reason<'_>, Vec<&ClusterName>> = BTreeMap::new();
    for (name, report) in clusters {
        reasons.entry(Reason::of(report)).or_default().push(name);
    }
    for (reason, names) in reasons {
        let first_reason =
            names.iter().filter_map(|name| clusters.get(*name)).map(|report| report.reason.as_str()).next();
        let first_reason = first_reason.filter(|first| !first.is_empty() && !reason.what.is_empty());
        let because = first_reason.map(|first| format!(": {first}")).unwrap_or_default();
        let degraded = reason.degraded.map(|why| format!(", degraded: {why}")).unwrap_or_default();
        let because = one_line(&format!("{because}{degraded}"));
        let _ = writeln!(text, "\n{} {}{because}", names.len(), reason.state);
        let first = names.iter().filter_map(|name| clusters.get(*name)?.look_at).min();
        if !reason.opens.is_empty() && !line::is_explained_by_time(reason.state, first) {
            let _ = writeln!(text, "  continues  when {}", one_line(reason.opens));
        }
        if let Some(at) = first {
            let who = if names.len() == 1 { "this cluster" } else { "the first of them" };
            let _ = writeln!(text, "  next       {who} {}", change_at(reason.state, &at.to_string()));
        }
        let reported = || names.iter().filter_map(|name| clusters.get(*name)?.reported);
        if let Some((first, last)) = reported().min().zip(reported().max()) {
            let until = if first == last { String::new() } else { format!(" to {last}") };
            let _ = writeln!(text, "  conditions of their works last changed at {first}{until}");
        }
        if let Some(row) = line::row(status, reason.state, reason.what) {
            let _ = writeln!(text, "  rule       {row}");
        }
        let _ = writeln!(text, "  clusters   {}", first_of(names.iter().map(|name| name.as_str()), NAMED));
    }
    text.push_str(&gates::lines(status));
    text
}

/// The key by which clusters are grouped.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Reason<'a> {
    /// Its position in the list.
    order: u8,
    state: ClusterState,
    /// The reason up to a message of the cluster.
    what: &'a str,
    /// The message, without numbers: those differ from cluster to cluster.
    message: String,
    degraded: Option<&'a str>,
    opens: &'a str,
}

impl<'a> Reason<'a> {
    /// Returns the key for a cluster. The reason of a soaking cluster contains its own time, so it is not part of the key.
    fn of(report: &'a ClusterReport) -> Self {
        let reason = if report.state == ClusterState::Soaking { "" } else { report.reason.as_str() };
        // What a failed cluster reported of its failure comes before its current cause, and may contain colons.
        let has_message = report.reported.is_some() && report.state != ClusterState::Failed;
        let (what, message) = match reason.split_once(": ").filter(|_| has_message) {
            Some((what, message)) => (what, without_numbers(message)),
            None => (reason, String::new()),
        };
        let order = cluster_table::order(report.state);
        Self { order, state: report.state, what, message, degraded: report.degraded.as_deref(), opens: &report.opens }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::commands::explain::cluster::{cluster, next_change};

    fn record(text: &str) -> ClusterReport {
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
        let clusters: BTreeMap<ClusterName, ClusterReport> = [
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

    #[test]
    fn a_thousand_clusters_with_the_same_cause_are_one_entry() {
        let reason = |n: u32, object: &str| {
            let refusal =
                format!("the cluster does not accept Deployment a/{object}: dial tcp 10.0.0.1:{n}: i/o timeout");
            record(&format!(r#""state":"TimedOut","reason":"{refusal}","reported":"2026-11-21T10:{:02}:00Z""#, n % 10))
        };
        let many =
            (0..1_000).map(|n| (format!("c{n:04}"), reason(n, "web-1"))).chain([("x".to_owned(), reason(5, "web-2"))]);
        let clusters = many.map(|(name, record)| (name.parse().unwrap(), record)).collect();
        let status = status();
        let text = addon(status_table::Row::of_journal(&status, None), &status, &clusters);
        let entries: Vec<&str> =
            text.lines().filter(|line| line.contains("TimedOut") || line.contains("conditions")).collect();
        let expected = [
            "1000 TimedOut: the cluster does not accept Deployment a/web-1: dial tcp 10.0.0.1:0: i/o timeout",
            "  conditions of their works last changed at 2026-11-21T10:00:00Z to 2026-11-21T10:09:00Z",
            "1 TimedOut: the cluster does not accept Deployment a/web-2: dial tcp 10.0.0.1:5: i/o timeout",
            "  conditions of their works last changed at 2026-11-21T10:05:00Z",
        ];
        assert_eq!(entries, expected, "{text}");
    }
}

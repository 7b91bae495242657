//! Formats histories as text, with at most a hundred columns.

use std::fmt::Write as _;

use crate::audit::event::{Event, What};
use crate::audit::history::{History, Missing};
use crate::audit::story::{self, Reach, Story};
use tidegate_core::journal::record::{Cause, Confirmation, Outcome, SealedCluster};
use tidegate_model::followed::Revision;
use tidegate_model::name::ClusterName;
use tidegate_model::progress::{ClusterState, Counts};
use tidegate_model::time::Timestamp;

/// The last character of a string that was cut.
const CUT: char = '…';
/// Number of clusters of one rollout that are named; `-o json` names all.
const NAMED: usize = 12;

/// Returns one line for each rollout, and one for each event.
pub(crate) fn table(history: &History) -> String {
    let mut text = row(["ADD-ON", "#", "CHANGE", "OUTCOME", "STARTED", "TOOK", "CLUSTERS", "BY"]);
    for story in &history.rollouts {
        let rollout = &story.rollout;
        text.push_str(&row([
            story.addon.as_str(),
            &rollout.number.to_string(),
            &change(story),
            &outcome(story),
            &minute(rollout.started),
            &story.seconds.map(span).unwrap_or_default(),
            &progress(story),
            rollout.revision.as_ref().map(|r| r.author.as_str()).unwrap_or_default(),
        ]));
    }
    text.push_str(&events(&history.events));
    text
}

/// Returns the details of each rollout.
pub(crate) fn details(history: &History) -> String {
    let stories: Vec<String> = history.rollouts.iter().map(detail).collect();
    format!("{}{}", stories.join("\n"), events(&history.events))
}

/// Returns a text with an explanation in its last line if something in it was cut.
pub(crate) fn whole(mut text: String) -> String {
    if text.contains(CUT) {
        text.push_str("\n… marks text that was cut; -o json shows all of it\n");
    }
    text
}

/// Describes rollouts that are missing in the journal.
pub(crate) fn missing(missing: &Missing) -> String {
    let Missing { addon, first, last } = missing;
    let what = if first == last {
        format!("rollout {first} of {addon} is")
    } else {
        format!("rollouts {first} to {last} of {addon} are")
    };
    format!("{what} missing; run tidegate verify-history")
}

/// Returns the life of one cluster.
pub(crate) fn life(history: &History, cluster: &ClusterName) -> String {
    let mut text = format!("{cluster}\n");
    let row = |cells: [&str; 8]| row_of(cells, LIFE);
    text.push_str(&row(["ADD-ON", "#", "CHANGE", "STATE", "STARTED", "TOOK", "GROUP", "BY"]));
    for story in &history.rollouts {
        for member in story.members() {
            let reach = story::reach(&story.rollout, member);
            let is_reached = matches!(reach, Reach::Reached | Reach::Left);
            let state = match reach {
                Reach::Reached => member.state.to_string(),
                Reach::Had => "had it already".to_owned(),
                Reach::Missed => "not reached".to_owned(),
                Reach::Left => member.state.to_string(),
            };
            let took = member.started.zip(member.finished).map(|(from, to)| span(story::seconds(from, to)));
            text.push_str(&row([
                story.addon.as_str(),
                &story.rollout.number.to_string(),
                &change(story),
                &state,
                &member.started.filter(|_| is_reached).map(minute).unwrap_or_default(),
                &took.filter(|_| is_reached).unwrap_or_default(),
                &member.group.map(|group| group.to_string()).unwrap_or_default(),
                story.rollout.revision.as_ref().map(|r| r.author.as_str()).unwrap_or_default(),
            ]));
        }
    }
    text.push_str(&events(&history.events));
    text
}

/// The widths of the columns; with the gaps, they add up to a hundred.
const WIDTHS: [usize; 8] = [20, 3, 17, 11, 16, 7, 9, 10];
/// The widths of the columns for the life of a cluster.
const LIFE: [usize; 8] = [20, 3, 17, 14, 16, 7, 6, 10];

fn row(cells: [&str; 8]) -> String {
    row_of(cells, WIDTHS)
}

fn row_of(cells: [&str; 8], widths: [usize; 8]) -> String {
    let cells = cells.iter().zip(widths).map(|(cell, width)| format!("{:<width$}", cut(cell, width)));
    format!("{}\n", cells.collect::<Vec<_>>().join(" ").trim_end())
}

fn cut(text: &str, width: usize) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().count() <= width {
        return text;
    }
    text.chars().take(width.saturating_sub(1)).chain([CUT]).collect()
}

/// Returns how many of its clusters a rollout has settled: those that have the new configuration, or have lost the add-on.
fn progress(story: &Story) -> String {
    let settled = story.clusters.iter().filter(|cluster| cluster.state.is_settled()).count();
    format!("{settled}/{}", story.clusters.len())
}

fn change(story: &Story) -> String {
    let rollout = &story.rollout;
    match (rollout.from.as_str(), rollout.to.as_str()) {
        (from, _) if rollout.cause == Cause::Withdrawal => format!("remove {from}"),
        (_, to) if rollout.cause == Cause::Membership => format!("{to}, clusters"),
        ("", to) => format!("install {to}"),
        (from, to) if from == to && rollout.reverts.is_some() => format!("back to {to}"),
        (from, to) if from == to => format!("{to} again"),
        (from, to) => format!("{from} → {to}"),
    }
}

fn outcome(story: &Story) -> String {
    match (story.rollout.outcome, story.phase) {
        (Outcome::InProgress, Some(phase)) => phase.to_string(),
        (outcome, _) => format!("{outcome:?}"),
    }
}

fn detail(story: &Story) -> String {
    let rollout = &story.rollout;
    let mut text = format!("{} {}: {}, {}\n", story.addon, rollout.number, change(story), outcome(story));
    let Counts { failed, waiting, leaving, .. } = story.counts;
    let took = story.seconds.map(|seconds| format!(", took {}", span(seconds))).unwrap_or_default();
    let ended = rollout.ended.map(|at| format!(", ended {at}")).unwrap_or_default();
    let extra = |n: usize, what: &str| if n > 0 { format!(", {n} {what}") } else { String::new() };
    let had = story.clusters.iter().filter(|c| story::reach(rollout, c) == Reach::Had).count();
    let removed = story.clusters.iter().filter(|c| c.state == ClusterState::Removed).count();
    let extras = [
        extra(had, "had it already"),
        extra(failed, "failed"),
        extra(waiting, "never reached"),
        extra(removed, "removed"),
        extra(rollout.undone_removals.len(), "removed and installed again"),
        extra(leaving, "leaving"),
    ]
    .concat();
    let mut lines = vec![
        ("time", format!("started {}{ended}{took}", rollout.started)),
        ("clusters", format!("{} done{extras}", progress(story))),
    ];
    lines.extend(rollout.revision.iter().flat_map(revision));
    let links = [
        (rollout.reverts, "takes back rollout"),
        (story.back_to, "returns to what rollout"),
        (story.reverted_by, "was taken back by rollout"),
        (rollout.superseded_by, "was superseded by rollout"),
    ];
    for (number, what) in links {
        let rest = if what.starts_with("returns") { " had installed" } else { "" };
        lines.extend(number.map(|number| ("link", format!("{what} {number}{rest}"))));
    }
    lines.extend(rollout.confirmations.iter().map(|Confirmation { held, by }| {
        ("confirmed", format!("{} confirmed the removal that was held at {}", by.short(), held.short()))
    }));
    lines.extend(story.problem.iter().map(|problem| ("problem", problem.clone())));
    for group in &story.groups {
        let name = group.group.map_or_else(|| "by hand".to_owned(), |group| format!("group {group}"));
        let took = group.seconds.map(|seconds| format!(", took {}", span(seconds))).unwrap_or_default();
        let from = group.started.map(|at| format!(", from {at}")).unwrap_or_default();
        lines.push(("group", format!("{name}: {} of {} clusters{from}{took}", group.reached, group.clusters)));
    }
    let happened = |c: &&SealedCluster| story::is_reached(rollout, c) || c.state == ClusterState::Removed;
    let reached: Vec<&SealedCluster> = story.members().filter(happened).collect();
    for cluster in reached.iter().take(NAMED) {
        lines.push(("order", member(cluster)));
    }
    if reached.len() > NAMED {
        lines.push(("order", format!("and {} more; -o json names all", reached.len() - NAMED)));
    }
    for (label, line) in lines {
        // Writing into a String cannot fail.
        let _ = writeln!(text, "  {label:<9} {}", cut(&line, 400));
    }
    text
}

fn revision(revision: &Revision) -> Vec<(&'static str, String)> {
    let Revision { commit, subject, author, committer, time, tag, merge, approved_by, signature, reverts } = revision;
    let mut lines =
        vec![("revision", format!("{} {subject}", commit.short())), ("author", format!("{author}, {time}"))];
    if !committer.is_empty() {
        lines.push(("committer", committer.clone()));
    }
    lines.extend(tag.iter().map(|tag| ("tag", tag.clone())));
    lines.extend(merge.iter().map(|merge| ("merge", merge.clone())));
    lines.extend(approved_by.iter().map(|by| ("approved", by.clone())));
    lines.extend(signature.iter().map(|by| ("signed", format!("{} with {}", by.signer, by.key))));
    lines.extend(reverts.iter().map(|commit| ("reverts", commit.short().to_owned())));
    lines
}

fn member(cluster: &SealedCluster) -> String {
    let SealedCluster { cluster, group, started, finished, state } = cluster;
    let group = group.map(|group| format!("group {group}, ")).unwrap_or_default();
    let started = started.map(|at| at.to_string()).unwrap_or_default();
    let took = finished.map(|at| format!(", done {at}")).unwrap_or_default();
    format!("{started} {cluster}: {group}{state}{took}")
}

fn events(events: &[Event]) -> String {
    let mut text = String::new();
    for Event { at, commit: _, what } in events {
        let line = match what {
            What::Refused { refused } => {
                format!("revision {} was not trusted: {}", refused.revision.commit.short(), refused.reason)
            }
            What::Rewritten { rewrite } => {
                let followed = if rewrite.accepted { "followed" } else { "not followed" };
                format!("history rewritten from {} to {}, {followed}", rewrite.from.short(), rewrite.to.short())
            }
            What::Complaints { revision, complaints } => {
                let first = complaints.first().map(String::as_str).unwrap_or_default();
                format!(
                    "revision {} by {} has {} complaint(s): {first}",
                    revision.commit.short(),
                    revision.author,
                    complaints.len()
                )
            }
            What::Failures { failures } => {
                let first = failures.first().map(String::as_str).unwrap_or_default();
                format!("the hub refused {} object(s): {first}", failures.len())
            }
        };
        // Writing into a String cannot fail.
        let _ = writeln!(text, "{} {}", minute(*at), cut(&line, 83));
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// Formats a time with minutes, which are enough for people.
fn minute(at: Timestamp) -> String {
    at.to_string().chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect()
}

fn span(seconds: i64) -> String {
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        3_600..86_400 => format!("{}h{:02}m", seconds / 3_600, seconds % 3_600 / 60),
        _ => format!("{}d{:02}h", seconds / 86_400, seconds % 86_400 / 3_600),
    }
}

//! Formats histories as text, with at most a hundred columns.

use std::fmt::Write as _;

use super::columns;
use tidegate_journal::history::{self, Event, History, Missing, Reach, Story, What};
use tidegate_journal::record::{Cause, Decision, Outcome, Rollout};
use tidegate_model::line::{CUT, cut};
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::plural::counted;
use tidegate_model::time::Timestamp;

/// Returns one line for each rollout, and one for each event.
pub(crate) fn table(history: &History) -> String {
    let heading = ["ADD-ON", "#", "CHANGE", "OUTCOME", "STARTED", "TOOK", "CLUSTERS", "BY"];
    let mut rows = vec![heading.map(str::to_owned)];
    for story in &history.rollouts {
        let rollout = &story.rollout;
        rows.push([
            story.addon.to_string(),
            rollout.number.to_string(),
            change(story),
            outcome(story),
            minute(rollout.started),
            story.seconds.map(span).unwrap_or_default(),
            with_failures(story),
            author(rollout),
        ]);
    }
    columns::table(&rows) + &events(&history.events)
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
    format!("{what} missing; run tidegate history --verify")
}

/// Returns the life of one cluster.
pub(crate) fn life(history: &History, cluster: &ClusterName) -> String {
    let heading = ["ADD-ON", "#", "CHANGE", "STATE", "STARTED", "TOOK", "GROUP", "BY"];
    let mut rows = vec![heading.map(str::to_owned)];
    for story in &history.rollouts {
        for member in story.members() {
            let reach = history::reach(&story.rollout, member);
            let is_reached = matches!(reach, Reach::Reached | Reach::Left);
            let state = match reach {
                Reach::Reached => member.state.to_string(),
                Reach::Had => "had it already".to_owned(),
                Reach::Missed => "not reached".to_owned(),
                Reach::Left => member.state.to_string(),
            };
            let took = member.started.zip(member.finished).map(|(from, to)| span(history::seconds(from, to)));
            rows.push([
                story.addon.to_string(),
                story.rollout.number.to_string(),
                change(story),
                state,
                member.started.filter(|_| is_reached).map(minute).unwrap_or_default(),
                took.filter(|_| is_reached).unwrap_or_default(),
                member.group.map(|group| group.to_string()).unwrap_or_default(),
                author(&story.rollout),
            ]);
        }
    }
    format!("{cluster}\n{}{}", columns::table(&rows), events(&history.events))
}

/// Returns who started a rollout: the policy that takes a digest back, or the author of the revision.
fn author(rollout: &Rollout) -> String {
    let took_back = rollout.decisions.iter().find_map(|decision| match decision {
        Decision::TookBack(verdict) => Some(verdict.policy.clone()),
        _ => None,
    });
    if let Some(policy) = took_back {
        return policy;
    }
    rollout.revision.as_ref().map(|revision| revision.author.clone()).unwrap_or_default()
}

/// Returns how many of its clusters a rollout has settled: those that have the new configuration, or have lost the add-on.
pub(super) fn progress(story: &Story) -> String {
    let settled = story.clusters.iter().filter(|cluster| cluster.state.is_settled()).count();
    format!("{settled}/{}", story.clusters.len())
}

/// Returns the progress of a rollout, and how many clusters failed.
fn with_failures(story: &Story) -> String {
    match story.counts.failed {
        0 => progress(story),
        failed => format!("{}, {failed} ✗", progress(story)),
    }
}

pub(super) fn change(story: &Story) -> String {
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

pub(super) fn outcome(story: &Story) -> String {
    match (story.rollout.outcome, story.phase) {
        (Outcome::InProgress, Some(phase)) => phase.to_string(),
        (outcome, _) => format!("{outcome:?}"),
    }
}

pub(super) fn events(events: &[Event]) -> String {
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
                    "revision {} by {} has {}: {first}",
                    revision.commit.short(),
                    revision.author,
                    counted(complaints.len(), "complaint")
                )
            }
            What::Decided { addon, decision, reason, by } => {
                let about = addon.as_ref().map_or("all add-ons", UnitName::as_str);
                let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
                format!("{about}: {by} {decision}{why}")
            }
            What::Failures { failures } => {
                let first = failures.first().map(String::as_str).unwrap_or_default();
                format!("the hub refused {}: {first}", counted(failures.len(), "object"))
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

pub(super) fn span(seconds: i64) -> String {
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        3_600..86_400 => format!("{}h{:02}m", seconds / 3_600, seconds % 3_600 / 60),
        _ => format!("{}d{:02}h", seconds / 86_400, seconds % 86_400 / 3_600),
    }
}

//! The details of rollouts as text: who changed what, how it is related to other rollouts, and the order of its clusters.

use std::fmt::Write as _;

use super::timeline::{change, events, outcome, progress, span};
use tidegate_consent::Seat;
use tidegate_journal::history::{self, GroupStory, History, Reach, Story};
use tidegate_journal::record::{Approval, Confirmation, Decision, PolicyVerdict, SealedCluster};
use tidegate_model::followed::Revision;
use tidegate_model::line::cut;
use tidegate_model::plural::counted;
use tidegate_model::progress::{ClusterState, Counts};

/// Number of clusters of one rollout that are named; `-o json` names all.
const NAMED: usize = 12;

/// Returns the details of each rollout.
pub(crate) fn details(history: &History) -> String {
    let stories: Vec<String> = history.rollouts.iter().map(detail).collect();
    format!("{}{}", stories.join("\n"), events(&history.events))
}

fn detail(story: &Story) -> String {
    let rollout = &story.rollout;
    let mut text = format!("{} {}: {}, {}\n", story.addon, rollout.number, change(story), outcome(story));
    let Counts { failed, waiting, leaving, .. } = story.counts;
    let took = story.seconds.map(|seconds| format!(", took {}", span(seconds))).unwrap_or_default();
    let ended = rollout.ended.map(|at| format!(", ended {at}")).unwrap_or_default();
    let extra = |n: usize, what: &str| if n > 0 { format!(", {n} {what}") } else { String::new() };
    let had = story.clusters.iter().filter(|c| history::reach(rollout, c) == Reach::Had).count();
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
    lines.extend(rollout.digest.iter().map(|digest| ("digest", digest.short().to_owned())));
    lines.extend(links(story).into_iter().map(|link| ("link", link)));
    lines.extend(rollout.confirmations.iter().map(|Confirmation { held, by }| {
        ("confirmed", format!("{} confirmed the removal that was held at {}", by.short(), held.short()))
    }));
    lines.extend(rollout.decisions.iter().flat_map(decision));
    lines.extend(story.problem.iter().map(|problem| ("problem", problem.clone())));
    lines.extend(story.groups.iter().map(|of| ("group", group(story, of))));
    let happened = |c: &&SealedCluster| history::is_reached(rollout, c) || c.state == ClusterState::Removed;
    let reached: Vec<&SealedCluster> = story.members().filter(happened).collect();
    let mut reason = "";
    for cluster in reached.iter().take(NAMED) {
        lines.push(("order", member(cluster, reason)));
        reason = &cluster.reason;
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

/// Describes how a rollout is related to others, each of them once.
fn links(story: &Story) -> Vec<String> {
    let Story { rollout, back_to, reverted_by, .. } = story;
    let back_to = back_to.map(|to| format!("returns to what rollout {to} had installed"));
    let taken_back = rollout.reverts.map(|number| format!("takes back rollout {number}"));
    let back = [taken_back, back_to].into_iter().flatten().collect::<Vec<_>>().join(" and ");
    let next = match (reverted_by, rollout.superseded_by) {
        (Some(by), Some(next)) if *by == next => vec![format!("was superseded by rollout {next}, which takes it back")],
        (by, next) => {
            let by = by.map(|by| format!("was taken back by rollout {by}"));
            by.into_iter().chain(next.map(|next| format!("was superseded by rollout {next}"))).collect()
        }
    };
    Some(back).filter(|back| !back.is_empty()).into_iter().chain(next).collect()
}

fn group(story: &Story, of: &GroupStory) -> String {
    let GroupStory { group, clusters, reached, started, seconds, finished: _ } = of;
    let name = group.map_or_else(|| "by hand".to_owned(), |group| format!("group {group}"));
    let took = seconds.map(|seconds| format!(", took {}", span(seconds))).unwrap_or_default();
    let from = started.map(|at| format!(", from {at}")).unwrap_or_default();
    let is_had = |c: &&SealedCluster| c.group == *group && history::reach(&story.rollout, c) == Reach::Had;
    let had = match story.clusters.iter().filter(is_had).count() {
        0 => String::new(),
        had => format!(", {had} had it already"),
    };
    format!("{name}: {reached} of {} reached{from}{took}{had}", counted(*clusters, "cluster"))
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

/// Describes a decision, with one line for each person.
fn decision(decision: &Decision) -> Vec<(&'static str, String)> {
    let of = |label: &'static str, approval: &Approval| {
        let Approval { policy, rule, placement, group, by } = approval;
        let group = group.as_ref().map(|group| format!(" before group {group}")).unwrap_or_default();
        let placement = if placement.is_empty() { String::new() } else { format!(" of {placement}") };
        let line = |seat: &Seat| (label, format!("{} for {rule:?}{group}{placement} ({policy})", who(seat)));
        by.iter().map(line).collect()
    };
    match decision {
        Decision::Approved(approval) => of("approved", approval),
        Decision::Overrode(approval) => of("overrode", approval),
        Decision::Rejected(PolicyVerdict { policy, digest, reason }) => {
            vec![("rejected", format!("digest {} by {policy}: {reason}", digest.short()))]
        }
        Decision::TookBack(PolicyVerdict { policy, digest, reason }) => {
            vec![("by", format!("{policy}, which took back digest {}: {reason}", digest.short()))]
        }
    }
}

/// Describes who approved, when and with which evidence.
fn who(seat: &Seat) -> String {
    let Seat { person, commit, signer, key: _, review, at, reason, break_glass: _ } = seat;
    let evidence = match review {
        Some(review) => format!("on pull request {}", review.pull),
        None if signer.is_empty() => format!("in commit {}", commit.short()),
        None => format!("in commit {}, signed by {signer}", commit.short()),
    };
    let reason = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
    format!("by {person}{reason} at {at} {evidence}")
}

/// Describes a cluster. A reason that the line before has, too, is not repeated.
fn member(cluster: &SealedCluster, before: &str) -> String {
    let SealedCluster { cluster, group, started, finished, state, left_out, reason } = cluster;
    let group = group.map(|group| format!("group {group}, ")).unwrap_or_default();
    let started = started.map(|at| at.to_string()).unwrap_or_default();
    let took = finished.map(|at| format!(", done {at}")).unwrap_or_default();
    let why = match reason.as_str() {
        "" => String::new(),
        same if same == before => ", for the same reason".to_owned(),
        reason => format!(", because {reason}"),
    };
    let left_out = left_out.as_ref().map(|why| format!(", left out: {why}")).unwrap_or_default();
    format!("{started} {cluster}: {group}{state}{took}{why}{left_out}")
}

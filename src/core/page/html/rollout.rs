//! One rollout.

use maud::{Markup, html};

use super::axis::axis;
use super::parts::{
    bar, cluster, cluster_state, exact, final_bar, outcome, outside, phase, rollout as link, span, time,
};
use crate::links::Links;
use crate::view::rollout::RolloutView;
use crate::view::waiting::{Waiting, change_at};
use crate::view::waves::Wave;
use tidegate_consent::Seat;
use tidegate_journal::record::{Approval, Decision, PolicyVerdict};
use tidegate_model::followed::Revision;
use tidegate_model::plural::counted;
use tidegate_model::time::Timestamp;

/// Returns a rollout, as it was at a moment.
pub(super) fn rollout(view: &RolloutView, now: Timestamp, links: Links<'_>) -> Markup {
    html! {
        h1 { (view.addon) " " span.quiet { (view.release.words()) } }
        p.facts {
            @if let Some(current) = view.phase { (phase(current)) } @else { (ending(view, links)) }
            span {
                @if view.number == 0 { "No rollout yet, since " (exact(view.started)) }
                @else { "Rollout " (view.number) ", started " (exact(view.started)) }
                @if let Some(ended) = view.ended { ", ended " (exact(ended)) " after " (span(ended.as_second() - view.started.as_second())) }
                "."
            }
            span.steps {
                @if let Some(before) = view.neighbors[0] { (link(links, &view.addon, before, "← rollout before")) }
                @if let Some(after) = view.neighbors[1] { (link(links, &view.addon, after, "rollout after →")) }
            }
        }
        @if let Some(problem) = &view.problem { p.problem { (problem) } }
        @if view.ended.is_some() { (final_bar(&view.counts)) } @else { (bar(&view.counts)) }
        @if !view.waves.is_empty() {
            section aria-labelledby="groups" {
                h2 id="groups" { "Groups" }
                (axis(view, now))
                (waves(view))
            }
        }
        @if !view.waiting.is_empty() { (waiting(&view.waiting, links)) }
        @if !view.failures.is_empty() && view.phase.is_none() { (failures(view, links)) }
        (approvals(view))
        @if let Some(revision) = &view.revision { (change(revision, view.digest.as_deref())) }
    }
}

/// Returns how it ended, and which rollouts followed.
fn ending(view: &RolloutView, links: Links<'_>) -> Markup {
    html! {
        (outcome(view.outcome, &view.counts, view.reverted_by))
        @if let Some(by) = view.reverted_by { "Reverted by " (link(links, &view.addon, by, &format!("rollout {by}"))) }
        @else if let Some(by) = view.superseded_by { "Replaced by " (link(links, &view.addon, by, &format!("rollout {by}"))) }
    }
}

fn waves(view: &RolloutView) -> Markup {
    let stuck = view.waves.iter().position(Wave::is_stuck).unwrap_or(view.waves.len());
    html! {
        div.table tabindex="0" role="region" aria-label="Groups" {
            table {
                thead { tr { th { "Group" } th { "Clusters" } th { "Started" } th { "Done" } th { "Waits for" } } }
                tbody {
                    @for (at, wave) in view.waves.iter().enumerate() {
                        tr {
                            td data-title="Group" { (wave.name) }
                            td data-title="Clusters" { @if view.ended.is_some() { (final_bar(&wave.counts)) } @else { (bar(&wave.counts)) } }
                            td data-title="Started" {
                                @if let Some(at) = wave.started { (exact(at)) }
                                @else if wave.unchanged { "no change" }
                                @else if at >= stuck { "after the gate opens" }
                                @else if let Some(band) = wave.begins { span { "expected " (exact(band.p50)) } }
                            }
                            td data-title="Done" {
                                @if let Some(at) = wave.done { (exact(at)) }
                                @else if let Some(band) = wave.expected.filter(|_| at < stuck) {
                                    span { "expected " (exact(band.p50)) @if band.p90 != band.p50 { " to " (exact(band.p90)) } }
                                }
                            }
                            td data-title="Waits for" {
                                @for gate in &wave.gates {
                                    div {
                                        p { (gate.gate) " since " (exact(gate.since)) }
                                        p.opens { span.label { "Opens when: " } (gate.opens) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn waiting(waiting: &[Waiting], links: Links<'_>) -> Markup {
    html! {
        section aria-labelledby="waiting" {
            h2 id="waiting" { "Clusters that are not done" }
            ul.needs {
                @for entry in waiting {
                    li.need {
                        (cluster_state(entry.state, false))
                        div {
                            p.what {
                                (counted(entry.clusters, "cluster"))
                                @if !entry.reason.is_empty() { ": " (entry.reason) }
                                @if let Some(since) = entry.since { span.since { " since " (time(since)) } }
                                @if let Some(at) = entry.look_at {
                                    span.since { "; the next one " (change_at(entry.state, &format!("{} UTC", at.strftime("%Y-%m-%d %H:%M")))) }
                                }
                            }
                            @if !entry.opens.is_empty() { p.opens { span.label { "Continues when: " } (entry.opens) } }
                            p.names {
                                @for name in &entry.first { (cluster(links, name)) " " }
                                @if entry.clusters > entry.first.len() { "and " (entry.clusters - entry.first.len()) " more" }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn failures(view: &RolloutView, links: Links<'_>) -> Markup {
    html! {
        section aria-labelledby="failures" {
            h2 id="failures" { "Clusters that failed" }
            ul.needs {
                @for failure in &view.failures {
                    li.need { (cluster_state(failure.state, false)) div { p.what { (cluster(links, &failure.cluster)) ": " (failure.reason) } } }
                }
            }
        }
    }
}

/// Returns who decided what, and what is missing.
fn approvals(view: &RolloutView) -> Markup {
    let open: Vec<_> =
        view.approvals.iter().filter(|approval| !approval.verdict.is_met() && !approval.breaks_glass).collect();
    let void: Vec<_> = view.approvals.iter().flat_map(|approval| &approval.verdict.void).collect();
    html! {
        @if !open.is_empty() || !void.is_empty() || !view.decisions.is_empty() || !view.confirmations.is_empty() {
            section aria-labelledby="approvals" {
                h2 id="approvals" { "Approvals and decisions" }
                ul.decisions {
                    @for approval in open {
                        li {
                            strong { "Open: " } "approval “" (approval.verdict.rule) "” of " (approval.policy)
                            @if let Some(group) = &approval.verdict.group { " for group " (group) }
                            ", " (approval.verdict.have.len()) " of " (counted(approval.verdict.need as usize, "approval"))
                            @if let Some(missing) = &approval.verdict.missing { p.opens { (missing.to_string()) } }
                            @for seat in &approval.verdict.have { (person(seat)) }
                        }
                    }
                    @for void in void {
                        li { strong { "Does not count: " } (void.by) ", " (time(void.at)) ": " (void.why.to_string()) }
                    }
                    @for decision in &view.decisions { li { (decided(decision)) } }
                    @for confirmation in &view.confirmations {
                        li { strong { "Confirmed: " } "a removal beyond the limits, by commit " code { (confirmation.by.short()) } }
                    }
                }
            }
        }
    }
}

fn decided(decision: &Decision) -> Markup {
    let approval = |word: &str, Approval { policy, rule, group, by, .. }: &Approval| {
        html! {
            strong { (word) } "“" (rule) "” of " (policy)
            @if let Some(group) = group { " for group " (group) }
            @for seat in by { (person(seat)) }
        }
    };
    let policy = |word: &str, PolicyVerdict { policy, reason, .. }: &PolicyVerdict| html! { strong { (word) } (policy) ": " (reason) };
    match decision {
        Decision::Approved(given) => approval("Approved: ", given),
        Decision::Overrode(given) => approval("Windows and freezes overridden: ", given),
        Decision::Rejected(verdict) => policy("Rejected by ", verdict),
        Decision::TookBack(verdict) => policy("Started by ", verdict),
    }
}

/// Returns who approved, and what verified it.
fn person(seat: &Seat) -> Markup {
    html! {
        p.seat {
            (seat.person) ", " (time(seat.at)) ", "
            @if let Some(review) = &seat.review { (outside(&review.url, "review")) " by " (review.account.login) }
            @else if seat.signer.is_empty() { "commit " code { (seat.commit.short()) } }
            @else { "commit " code { (seat.commit.short()) } " signed by " (seat.signer) " with " code { (seat.key) } }
            @if !seat.reason.is_empty() { ": “" (seat.reason) "”" }
        }
    }
}

fn change(revision: &Revision, digest: Option<&str>) -> Markup {
    html! {
        section aria-labelledby="change" {
            h2 id="change" { "Change" }
            dl.pairs {
                dt { "Commit" } dd { code { (revision.commit.short()) } " " (revision.subject) }
                dt { "Author" } dd { (revision.author) ", " (time(revision.time)) }
                @if !revision.committer.is_empty() { dt { "Committer" } dd { (revision.committer) } }
                @if let Some(merge) = &revision.merge { dt { "Merged as" } dd { (merge) } }
                @if !revision.approved_by.is_empty() { dt { "Reviewed by, as the commit says" } dd { (revision.approved_by.join(", ")) } }
                @if let Some(signed) = &revision.signature { dt { "Signed by" } dd { (signed.signer) } }
                @if let Some(digest) = digest { dt { "Digest" } dd { code { (digest) } } }
            }
        }
    }
}

//! All rollouts.

use maud::{Markup, html};

use super::parts::{bar, final_bar, kept_moment, outcome, pages, phase, rollout, span, time};
use crate::links::Links;
use crate::view::history::{Entry, Figures, HistoryView};
use tidegate_model::plural::counted;

/// Returns the history.
pub(super) fn history(view: &HistoryView, links: Links<'_>) -> Markup {
    let wanted = &view.wanted;
    let [since, until] = [wanted.since, wanted.until].map(|at| at.map(|at| at.to_string()).unwrap_or_default());
    let query = [
        ("addon", wanted.addon.as_str()),
        ("cluster", &wanted.cluster),
        ("person", &wanted.person),
        ("since", &since),
        ("until", &until),
    ];
    let hints = [
        ("Add-on", "any part of it"),
        ("Cluster", "the whole name"),
        ("Person", "any part"),
        ("From", "2026-11-01"),
        ("To", "2026-11-30"),
    ];
    let fields = hints.into_iter().zip(query).map(|((label, hint), pair)| (label, hint, pair));
    html! {
        h1 { "History" }
        @if links.has_queries() {
            form.filter method="get" role="search" {
                @for (label, hint, (name, value)) in fields {
                    label { (label) " " input name=(name) value=(value) placeholder=(hint) maxlength="253" autocomplete="off"; }
                }
                (kept_moment(links))
                button type="submit" { "Search" }
            }
        }
        @if let Some(problem) = &view.problem { p.problem role="alert" { (problem) } }
        (figures(&view.figures))
        p.note { (counted(view.total, "rollout")) @if view.pages > 1 && !links.has_queries() { "; only the first " (view.rollouts.len()) " are in this export" } }
        div.table tabindex="0" role="region" aria-label="Rollouts" {
            table {
                thead { tr { th { "Started" } th { "Rollout" } th { "Change" } th { "Outcome" } th { "Took" } th { "Clusters" } th { "By" } th { "Approved by" } } }
                tbody { @for entry in &view.rollouts { (row(entry, links)) } }
            }
        }
        (pages(links, &["history"], &query, view.page, view.pages))
    }
}

fn row(entry: &Entry, links: Links<'_>) -> Markup {
    html! {
        tr {
            td data-title="Started" { (time(entry.started)) }
            td data-title="Rollout" { (rollout(links, &entry.addon, entry.number, &format!("{} {}", entry.addon, entry.number))) }
            td data-title="Change" { (entry.release.words()) }
            td data-title="Outcome" { @if let Some(current) = entry.phase { (phase(current)) } @else { (outcome(entry.outcome, &entry.counts, entry.reverted_by)) } }
            td data-title="Took" { @if let Some(seconds) = entry.seconds { (span(seconds)) } }
            td data-title="Clusters" { @if entry.phase.is_some() { (bar(&entry.counts)) } @else { (final_bar(&entry.counts)) } }
            td data-title="By" { (entry.author) }
            td data-title="Approved by" { (entry.approved_by.join(", ")) }
        }
    }
}

/// Returns the four figures, with what they mean.
fn figures(figures: &Figures) -> Markup {
    let seconds = |seconds: Option<i64>| seconds.map_or("–".to_owned(), span);
    let rate = match (figures.failed * 100).checked_div(figures.ended) {
        Some(rate) => format!("{rate} %"),
        None => "–".to_owned(),
    };
    let facts = [
        (figures.completed.to_string(), "rollouts completed"),
        (seconds(figures.lead_seconds), "from the commit to the end, median"),
        (rate, "of the rollouts that ended were reverted, rejected, or replaced after failures"),
        (seconds(figures.restore_seconds), "from the start of a failed rollout to the next completed one, median"),
    ];
    html! { ul.figures { @for (value, label) in facts { li { b { (value) } span { (label) } } } } }
}

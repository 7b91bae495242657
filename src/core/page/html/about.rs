//! Tidegate itself.

use maud::{Markup, html};

use super::parts::time;
use crate::links::Links;
use crate::view::about::About;

/// Returns what is known about Tidegate itself.
pub(super) fn about(view: &About, links: Links<'_>) -> Markup {
    html! {
        h1 { "About" }
        dl.pairs {
            @if !view.instance.is_empty() { dt { "Instance" } dd { (view.instance) } }
            @if view.term > 0 { dt { "Term" } dd { (view.term) } }
            @if let Some(seen) = &view.seen {
                dt { "Last revision seen" } dd { code { (seen.commit.short()) } " " (seen.subject) ", by " (seen.author) ", " (time(seen.time)) }
            }
            @if let Some(applied) = &view.applied { dt { "Last revision applied" } dd { code { (applied.short()) } } }
            @if let Some(refused) = &view.refused {
                dt { "Not followed" } dd { code { (refused.revision.commit.short()) } " " (refused.revision.subject) ": " (refused.reason) }
            }
            @if let Some(rewritten) = &view.rewritten {
                dt { "History rewritten" } dd { "from " code { (rewritten.from.short()) } " to " code { (rewritten.to.short()) } }
            }
            @if let Some(went_back) = &view.went_back {
                dt { "Hub went back" } dd { "from version " (went_back.from) " to " (went_back.to) ", noticed " (time(went_back.at)) }
            }
            @if let Some(clusters) = view.clusters { dt { "Clusters on the hub" } dd { a href=(links.page(&["clusters"])) { (clusters) } } }
            @if let Some(next) = view.next { dt { "Next change by time" } dd { (time(next)) } }
        }
        (list("complaints", "Complaints", &view.complaints))
        (list("failures", "Objects that the hub refuses", &view.failures))
        (list("notices", "Notices", &view.notices))
    }
}

fn list(id: &str, title: &str, lines: &[String]) -> Markup {
    html! {
        @if !lines.is_empty() {
            section aria-labelledby=(id) { h2 id=(id) { (title) } ul { @for line in lines { li { (line) } } } }
        }
    }
}

//! Pull requests.

use maud::{Markup, html};

use super::markdown::markdown;
use super::parts::outside;
use crate::links::Links;
use crate::view::change::{Change, Changes};

/// Returns the pull requests.
pub(super) fn changes(view: &Changes, links: Links<'_>) -> Markup {
    html! {
        h1 { "Changes" }
        @if view.pulls.is_empty() { p.note { "The journal knows no pull request. They are recorded if tidegate.toml of the daemon has a [forge]." } }
        @else {
            div.table tabindex="0" role="region" aria-label="Pull requests" {
                table {
                    thead { tr { th { "Number" } th { "Title" } th { "State" } th { "Plan" } th { "Forge" } } }
                    tbody {
                        @for pull in &view.pulls {
                            tr {
                                td data-title="Number" { a href=(links.page(&["changes", &pull.number.to_string()])) { "#" (pull.number) } }
                                td data-title="Title" { (pull.title) }
                                td data-title="State" { (format!("{:?}", pull.state)) }
                                td data-title="Plan" { @if pull.planned { "yes" } @else { "none" } }
                                td data-title="Forge" { (outside(&pull.url, "open")) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns a pull request.
pub(super) fn change(view: &Change, links: Links<'_>) -> Markup {
    html! {
        h1 { "#" (view.number) " " (view.title) }
        dl.pairs {
            dt { "State" } dd { (format!("{:?}", view.state)) }
            @if !view.author.is_empty() { dt { "Author" } dd { (view.author) } }
            dt { "Head" } dd { code { (view.head.short()) } }
            @if !view.commented_by.is_empty() { dt { "Approvals in comments" } dd { (view.commented_by.join(", ")) } }
            dt { "On the forge" } dd { (outside(&view.url, &view.url)) }
        }
        h2 { "Plan" }
        @match &view.plan {
            Some(plan) => div.plan { (markdown(plan)) },
            None => p.note { "The journal has no plan of it. " a href=(links.page(&["changes"])) { "All changes" } },
        }
    }
}

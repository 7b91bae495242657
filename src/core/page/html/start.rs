//! The start.

use maud::{Markup, html};

use super::parts::{addon, bar, outside, phase, time};
use crate::links::Links;
use crate::view::need::{Need, Urgency};
use crate::view::start::{Active, Quiet, Start};
use tidegate_model::plural::counted;

/// Returns the start.
pub(super) fn start(view: &Start, links: Links<'_>) -> Markup {
    html! {
        h1 { "Needs you" }
        @if view.needs.is_empty() { p.calm { "No rollout waits for a person." } }
        @if view.open_pulls > 0 {
            p.note { (counted(view.open_pulls, "pull request")) " open: " a href=(links.page(&["changes"])) { "changes" } "." }
        }
        @if !view.needs.is_empty() { ul.needs { @for need in &view.needs { (item(need, links)) } } }
        section aria-labelledby="active" {
            h2 id="active" { "Rollouts that have not ended" }
            @if view.active.is_empty() { p.note { "No rollout is in progress." } }
            @for active in &view.active { (rollout(active, links)) }
        }
        section aria-labelledby="quiet" {
            h2 id="quiet" { "At rest" }
            @if view.quiet.is_empty() { p.note { "No add-on is at rest." } } @else { (quiet(&view.quiet, links)) }
        }
    }
}

fn item(need: &Need, links: Links<'_>) -> Markup {
    let (class, sign, word) = match need.urgency {
        Urgency::Failed => ("failed", '✕', "failed"),
        Urgency::Decide => ("late", '?', "decide"),
        Urgency::Look => ("degraded", '!', "look"),
    };
    html! {
        li class={ "need " (class) } {
            span class={ "state " (class) } { b aria-hidden="true" { (sign) } (word) }
            div {
                p.what {
                    @if let Some(name) = &need.addon { strong { (addon(links, name)) } ": " }
                    (need.what)
                    @if let Some(since) = need.since { span.since { " since " (time(since)) } }
                }
                @if !need.why.is_empty() { p.why { (need.why) } }
                @if !need.opens.is_empty() { p.opens { span.label { "To do: " } (need.opens) } }
                @for url in &need.urls { p.opens { (outside(url, url)) } }
            }
        }
    }
}

fn rollout(active: &Active, links: Links<'_>) -> Markup {
    let [at, of] = active.position;
    html! {
        article.card {
            h3 { (addon(links, &active.addon)) " " span.quiet { (active.release.words()) } }
            (phase(active.phase))
            (bar(&active.counts))
            p.line {
                @if of > 0 { "At " strong { (active.wave) } ", " (at) " of " (counted(of, "group")) ". " }
                "Started " (time(active.started)) "."
                @if let Some(end) = active.end { " Expected end " (time(end.p50)) @if end.p90 != end.p50 { ", and " (time(end.p90)) " in nine of ten cases" } "." }
            }
            @if !active.reason.is_empty() { p.line.why { "Clusters: " (active.reason) } }
        }
    }
}

fn quiet(quiet: &[Quiet], links: Links<'_>) -> Markup {
    html! {
        div.table tabindex="0" role="region" aria-label="Add-ons at rest" {
            table {
                thead { tr { th { "Add-on" } th { "Version" } th { "Clusters" } th { "Since" } } }
                tbody {
                    @for row in quiet {
                        tr {
                            td data-title="Add-on" { (addon(links, &row.addon)) }
                            td data-title="Version" { (row.version) }
                            td data-title="Clusters" { (bar(&row.counts)) }
                            td data-title="Since" { (time(row.since)) }
                        }
                    }
                }
            }
        }
    }
}

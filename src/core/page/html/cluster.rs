//! One cluster.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::parts::{addon, cluster_state, rollout, span, time};
use crate::links::Links;
use crate::view::cluster::{ClusterView, Event, Installed};

/// Returns a cluster.
pub(super) fn cluster(view: &ClusterView, links: Links<'_>) -> Markup {
    html! {
        h1 { (view.name) }
        p.facts {
            @match view.availability {
                Some(availability) => (format!("{availability:?}")),
                None => "The journal has no record of this cluster on the hub",
            }
            @if view.availability.is_some() && !view.known { ", the hub has no ManagedCluster of this name" }
            @if !view.set.is_empty() { ", set " (view.set) }
            @if !view.kubernetes.is_empty() { ", Kubernetes " (view.kubernetes) }
            "."
        }
        section aria-labelledby="addons" {
            h2 id="addons" { "Add-ons" }
            @if view.addons.is_empty() { p.note { "It has none." } }
            @for installed in &view.addons { (card(installed, links)) }
        }
        (pairs("labels", "Labels", &view.labels))
        (pairs("claims", "Claims", &view.claims))
        section aria-labelledby="life" {
            h2 id="life" { "Rollouts on this cluster" }
            @if view.life.is_empty() { p.note { "No rollout has reached it." } } @else { (life(&view.life, links)) }
        }
    }
}

fn card(installed: &Installed, links: Links<'_>) -> Markup {
    let row = &installed.row;
    html! {
        article.card {
            h3 { (addon(links, &row.addon)) " " span.quiet { (row.version) } }
            (cluster_state(row.state, row.degraded.is_some()))
            p.line {
                @if let Some(since) = row.since { "Since " (time(since)) ". " }
                @if let Some(number) = installed.rollout { "From " (rollout(links, &row.addon, number, &format!("rollout {number}"))) ". " }
                @if !row.group.is_empty() { "In " (row.group) ". " }
                @if let Some(others) = &installed.others {
                    "Most clusters of its group have " @if others.is_empty() { "no version yet" } @else { (others) } ". "
                }
            }
            @if let Some(degraded) = &row.degraded { p.problem { (degraded) } }
            @else if !row.reason.is_empty() { p.line { (row.reason) } }
            @if !installed.opens.is_empty() { p.opens { span.label { "Continues when: " } (installed.opens) } }
        }
    }
}

fn pairs(id: &str, title: &str, pairs: &BTreeMap<String, String>) -> Markup {
    html! {
        @if !pairs.is_empty() {
            section aria-labelledby=(id) {
                h2 id=(id) { (title) }
                dl.pairs { @for (key, value) in pairs { dt { (key) } dd { (value) } } }
            }
        }
    }
}

fn life(life: &[Event], links: Links<'_>) -> Markup {
    html! {
        div.table tabindex="0" role="region" aria-label="Rollouts that reached the cluster" {
            table {
                thead { tr { th { "Started" } th { "Add-on" } th { "Change" } th { "State" } th { "Took" } th { "By" } th { "Reason" } } }
                tbody {
                    @for event in life {
                        tr {
                            td data-title="Started" { @if let Some(at) = event.started { (time(at)) } @else { "no change" } }
                            td data-title="Add-on" { (rollout(links, &event.addon, event.number, &format!("{} {}", event.addon, event.number))) }
                            td data-title="Change" { (event.release.words()) }
                            td data-title="State" { (cluster_state(event.state, false)) }
                            td data-title="Took" { @if let Some(seconds) = event.seconds { (span(seconds)) } }
                            td data-title="By" { (event.author) }
                            td data-title="Reason" { (event.reason) }
                        }
                    }
                }
            }
        }
    }
}

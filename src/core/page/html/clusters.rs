//! Add-ons on clusters as a table, and the versions.

use maud::{Markup, html};

use super::parts::{addon, cluster, cluster_state, kept_moment, pages, time};
use crate::links::Links;
use crate::view::clusters::Table;
use crate::view::versions::Versions;
use tidegate_model::plural::counted;

/// Returns the table.
pub(super) fn clusters(view: &Table, links: Links<'_>) -> Markup {
    html! {
        h1 { "Clusters" }
        @if links.has_queries() {
            form.filter method="get" role="search" {
                label for="filter" { "Filter" }
                input id="filter" name="filter" type="search" value=(view.filter) maxlength="1000" autocomplete="off" spellcheck="false"
                    placeholder="version!=0.4.1 set=prod -name:edge* label.region=eu" aria-describedby="filter-help";
                (kept_moment(links))
                button type="submit" { "Apply" }
            }
            p.note id="filter-help" {
                "Fields: name, addon, version, state, set, group, reason, label.KEY. States are the words of the page, such as failed, done or \"in progress\". " code { "=" } " and " code { ":" } " ask for the whole text, "
                code { "!=" } " and " code { "-" } " for everything else, " code { "*" } " is any text."
            }
        }
        @if let Some(problem) = &view.problem { p.problem role="alert" { (problem) } }
        @else {
            p.note { (counted(view.total, "row")) @if view.pages > 1 && !links.has_queries() { "; only the first " (view.rows.len()) " are in this export" } }
            div.table tabindex="0" role="region" aria-label="Add-ons on clusters" {
                table {
                    thead { tr { th { "Cluster" } th { "Add-on" } th { "State" } th { "Version" } th { "Group" } th { "Set" } th { "Since" } th { "Reason" } } }
                    tbody {
                        @for row in &view.rows {
                            tr {
                                td data-title="Cluster" { (cluster(links, &row.cluster)) }
                                td data-title="Add-on" { (addon(links, &row.addon)) }
                                td data-title="State" { (cluster_state(row.state, row.degraded.is_some())) }
                                td data-title="Version" { (row.version) }
                                td data-title="Group" { (row.group) }
                                td data-title="Set" { (row.set) }
                                td data-title="Since" { @if let Some(since) = row.since { (time(since)) } }
                                td data-title="Reason" { (row.degraded.as_deref().unwrap_or(&row.reason)) }
                            }
                        }
                    }
                }
            }
            (pages(links, &["clusters"], &[("filter", &view.filter)], view.page, view.pages))
        }
    }
}

/// Returns the versions.
pub(super) fn versions(view: &Versions, links: Links<'_>) -> Markup {
    html! {
        h1 { "Versions" }
        p.note { "How many clusters have each version, or are getting it. The oldest come first." }
        div.table tabindex="0" role="region" aria-label="Versions" {
            table {
                thead { tr { th { "Add-on" } th { "Version" } th.number { "Clusters" } th { "First started" } } }
                tbody {
                    @for entry in &view.addons {
                        @for version in &entry.versions {
                            tr {
                                td data-title="Add-on" { (addon(links, &entry.addon)) }
                                td data-title="Version" {
                                    @if version.version.is_empty() { "none yet" } @else { (version.version) }
                                    @if version.version == entry.target { " " span.state.active { b aria-hidden="true" { "→" } "target" } }
                                }
                                td.number data-title="Clusters" {
                                    @let filter = format!("addon={} version={}", entry.addon, version.version);
                                    a href=(links.query(&["clusters"], &[("filter", &filter)])) { (version.clusters) }
                                }
                                td data-title="First started" { @if let Some(since) = version.since { (time(since)) } @else { "before the current rollout" } }
                            }
                        }
                    }
                }
            }
        }
    }
}

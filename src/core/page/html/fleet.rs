//! Add-ons and clusters, one cell each.

use maud::{Markup, html};

use super::parts::{LOOKS, Look, addon, bar, cluster_look};
use crate::links::Links;
use crate::view::fleet::{Cell, Fleet, Group};
use tidegate_model::name::UnitName;
use tidegate_model::plural::counted;

/// The most cells of a group that are links. The cells of a larger group are drawn together.
const LINKS: usize = 400;

/// Returns the fleet.
pub(super) fn fleet(view: &Fleet, links: Links<'_>) -> Markup {
    html! {
        h1 { "Fleet" }
        p.note {
            (counted(view.addons.len(), "add-on")) " on " (counted(view.clusters, "cluster")) ". One cell is an add-on on a cluster. "
            "The same as a table: " a href=(links.page(&["clusters"])) { "clusters" } "."
        }
        p.legend { @for Look { class, letter, word } in LOOKS { span { i class={ "cell " (class) } { (letter) } (word) } } }
        @for row in &view.addons {
            section.fleet aria-label=(row.addon) {
                h2 { (addon(links, &row.addon)) " " span.quiet { (row.version) } }
                @for group in &row.groups { (cells(&row.addon, group, links)) }
            }
        }
    }
}

fn cells(addon: &UnitName, group: &Group, links: Links<'_>) -> Markup {
    let filter = format!("addon={addon} group=\"{}\"", group.name);
    let all = links.query(&["clusters"], &[("filter", &filter)]);
    html! {
        div.group {
            p.label { a href=(all) { (group.name) } " " (bar(&group.counts)) }
            @if group.cells.len() <= LINKS {
                p.cells {
                    @for Cell { cluster, state, degraded } in &group.cells {
                        @let look = cluster_look(*state, *degraded);
                        a class={ "cell " (look.class) } href=(links.page(&["clusters", cluster.as_str()]))
                            title={ (cluster) ": " (look.word) } { (look.letter) }
                    }
                }
            } @else {
                details {
                    summary { (counted(group.cells.len(), "cell")) }
                    p.cells.dense aria-hidden="true" {
                        @for (look, cells) in runs(&group.cells) {
                            span class=(look.class) title=(title(cells, look)) { (look.letter.to_string().repeat(cells.len())) }
                        }
                    }
                }
            }
        }
    }
}

fn title(cells: &[Cell], look: Look) -> String {
    match cells {
        [only] => format!("{}: {}", only.cluster, look.word),
        [first, .., last] => format!("{} to {}: {} {}", first.cluster, last.cluster, cells.len(), look.word),
        [] => String::new(),
    }
}

/// Returns the cells that look alike and follow each other.
fn runs(cells: &[Cell]) -> Vec<(Look, &[Cell])> {
    let look = |cell: &Cell| cluster_look(cell.state, cell.degraded);
    let runs = cells.chunk_by(|a, b| look(a) == look(b));
    runs.filter_map(|run| Some((look(run.first()?), run))).collect()
}

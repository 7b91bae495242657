//! Fits a plan into the limit of a comment.

use super::Options;
use super::blocks::blocks;
use super::inline::{Place, line};
use super::link::{link, marker};
use crate::presentation::page::{Detail, LADDER, Page, page};
use crate::proposal::document::Plan;

/// Returns the comment for a plan.
///
/// The first line is a marker by which the comment is found again. If the plan does not fit into the budget, diffs are cut, then
/// replaced by numbers of lines, then the names of clusters are left out, and then everything but the first table. The result depends
/// only on the arguments.
///
/// # Guarantees
/// The result is never longer than the budget, no line starts with `/`, and no value can end a fence, a table or a fold.
pub fn markdown(plan: &Plan, options: &Options) -> String {
    let tables = std::iter::successors(Some(plan.addons.len()), |rows| (*rows > 0).then_some(rows / 2));
    let levels = LADDER.into_iter().chain(tables.map(Detail::FirstTable));
    for detail in levels {
        let comment = rendered(&page(plan, detail), detail, options);
        if length(&comment) <= options.budget {
            return comment;
        }
    }
    shortest(&page(plan, Detail::FirstTable(0)), options)
}

fn rendered(page: &Page, detail: Detail, options: &Options) -> String {
    let mut parts = vec![heading(page, options), facts(page)];
    parts.extend(blocks(&page.blocks));
    parts.extend(detail.omission().map(str::to_owned));
    parts.push(last(page, options));
    parts.join("\n\n") + "\n"
}

fn heading(page: &Page, options: &Options) -> String {
    format!("{}\n### {}", marker(options), line(&page.title, Place::Text))
}

fn facts(page: &Page) -> String {
    let facts = page.facts.iter().map(|fact| format!("{} {}", line(&fact.value, Place::Text), fact.label));
    format!("**{}**", facts.collect::<Vec<_>>().join(" · "))
}

fn last(page: &Page, options: &Options) -> String {
    let counts = line(&page.last, Place::Text);
    match link(options) {
        Some(link) => format!("{counts} · {link}"),
        None => counts,
    }
}

/// Returns as much as fits of the parts that are most important.
fn shortest(page: &Page, options: &Options) -> String {
    let parts = [marker(options), "### Tidegate plan".to_owned(), facts(page), link(options).unwrap_or_default()];
    let mut comment = String::new();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        let next = if comment.is_empty() { part.clone() } else { format!("{comment}\n\n{part}") };
        if length(&next) > options.budget {
            break;
        }
        comment = next;
    }
    comment
}

/// Returns the length of a comment in characters, as GitHub and GitLab count it.
fn length(text: &str) -> usize {
    text.chars().count()
}

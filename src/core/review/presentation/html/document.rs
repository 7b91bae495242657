//! The whole file.

use super::blocks::blocks;
use super::inline::{line, text};
use crate::presentation::page::{Detail, Fact, Page, Tone, page, rehearsed};
use crate::proposal::document::Plan;
use crate::rehearsal::document::Rehearsal;

/// The colors of all pages, light and dark.
pub const TOKENS: &str = include_str!("tokens.css");

/// Nothing is loaded and nothing runs, even if a value could become markup.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Returns a plan as an HTML file with its own style.
///
/// # Guarantees
/// The file contains only elements and attributes that are written here, loads nothing and runs no script.
pub fn html(plan: &Plan) -> String {
    file(&page(plan, Detail::Full))
}

/// Returns a rehearsal as an HTML file with its own style.
///
/// # Guarantees
/// Those of [`html`].
pub fn rehearsal_html(rehearsal: &Rehearsal) -> String {
    file(&rehearsed(rehearsal))
}

fn file(page: &Page) -> String {
    let style = include_str!("style.css");
    let tokens = TOKENS;
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{tokens}{style}</style>\n</head>\n\
         <body>\n<main>\n{header}{blocks}{footer}</main>\n</body>\n</html>\n",
        title = text(&page.title),
        header = header(page),
        blocks = blocks(&page.blocks),
        footer = footer(page),
    )
}

fn header(page: &Page) -> String {
    let class = match page.verdict.tone {
        Tone::Good => "good",
        Tone::Neutral => "neutral",
        Tone::Bad => "bad",
    };
    let verdict = page.verdict.words;
    let fact = |fact: &Fact| format!("<li><b>{}</b> <span>{}</span></li>\n", line(&fact.value), fact.label);
    let facts: String = page.facts.iter().map(fact).collect();
    let title = line(&page.title);
    format!(
        "<header>\n<p class=\"verdict {class}\">{verdict}</p>\n<h1>{title}</h1>\n<ul class=\"facts\">\n{facts}</ul>\n</header>\n"
    )
}

fn footer(page: &Page) -> String {
    let state = if page.state.0.is_empty() { String::new() } else { format!("<p>{}</p>\n", line(&page.state)) };
    format!("<footer>\n<p>{}</p>\n{state}</footer>\n", line(&page.last))
}

//! The whole file.

use super::blocks::blocks;
use super::inline::{line, text};
use crate::presentation::page::{Detail, Fact, Page, page};
use crate::proposal::document::{Plan, Verdict};

/// Nothing is loaded and nothing runs, even if a value could become markup.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Returns a plan as an HTML file with its own style.
///
/// # Guarantees
/// The file contains only elements and attributes that are written here, loads nothing and runs no script.
pub fn html(plan: &Plan) -> String {
    let page = page(plan, Detail::Full);
    let style = include_str!("style.css");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{style}</style>\n</head>\n\
         <body>\n<main>\n{header}{blocks}{footer}</main>\n</body>\n</html>\n",
        title = text(&page.title),
        header = header(&page),
        blocks = blocks(&page.blocks),
        footer = footer(&page),
    )
}

fn header(page: &Page) -> String {
    let (class, verdict) = match page.verdict {
        Verdict::Nothing => ("nothing", "Nothing changes"),
        Verdict::Changes => ("changes", "Changes"),
        Verdict::Blocked => ("blocked", "Blocked"),
    };
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

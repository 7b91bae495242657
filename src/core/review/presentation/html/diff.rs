//! How an object changes, line by line.

use tidegate_model::line::visible;

use super::inline::{escaped, line};
use crate::presentation::page::Diff;

/// Returns a diff. Added and removed lines are elements of their own, start with `+` and `-`, and have a color.
pub(super) fn diff(diff: &Diff) -> String {
    let title = line(&diff.title);
    match &diff.text {
        Some(text) => {
            let lines: String = visible(text).lines().map(of_line).collect();
            format!("<figure>\n<figcaption>{title}</figcaption>\n<pre tabindex=\"0\">{lines}</pre>\n</figure>\n")
        }
        None => format!("<p class=\"object\">{title}</p>\n"),
    }
}

fn of_line(line: &str) -> String {
    let text = escaped(line);
    match line.chars().next() {
        Some('+') => format!("<ins>{text}</ins>\n"),
        Some('-') => format!("<del>{text}</del>\n"),
        Some('@') => format!("<span class=\"place\">{text}</span>\n"),
        _ => format!("{text}\n"),
    }
}

//! HTML as one file: no script, no external resource, readable on a phone and on paper.

mod blocks;
mod diff;
mod document;
mod inline;
mod timeline;

pub use self::document::{TOKENS, html, rehearsal_html};
pub use self::inline::escaped as escaped_html;

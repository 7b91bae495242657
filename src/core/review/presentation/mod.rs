//! The plan of a change and its rehearsal for reviewers: text for a terminal, HTML as one file, and for plans Markdown for the comment on
//! a pull request.
//!
//! ```text
//! Plan, Rehearsal --page--> Page (sections, tables, diffs) --markdown--> a comment within its budget
//!                                                          --html------> a file
//! ```
//!
//! Names and values come from a repository that anyone may have written, so they are never part of the markup. In a page, own words
//! are string literals and everything else is a value of another type, which each format escapes in one place.

mod html;
mod markdown;
mod page;
mod terminal;

pub use self::html::{TOKENS, escaped_html, html, rehearsal_html};
pub use self::markdown::{Options, ask, markdown, marker, progress};
pub use self::page::{Asked, RolloutState};
pub use self::terminal::{plan_text, rehearsal_text};

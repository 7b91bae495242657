//! Views as HTML: elements that are written here, text that is escaped, no script or style inside.

mod about;
mod axis;
mod changes;
mod cluster;
mod clusters;
mod fleet;
mod history;
mod layout;
mod markdown;
mod parts;
mod rollout;
mod start;

pub use layout::{Frame, not_found, page};

/// The style of all pages.
pub fn style() -> String {
    [tidegate_review::presentation::TOKENS, include_str!("style.css")].concat()
}

/// The script of all pages. They work without it.
pub const SCRIPT: &str = include_str!("script.js");

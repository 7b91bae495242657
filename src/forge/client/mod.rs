//! Requests to a forge in one queue, with tokens, cached pages, and lists of many pages.

mod etags;
mod known;
mod links;
mod list;
mod queue;

pub(crate) use known::{known, known_if_served};
pub(crate) use list::Numbered;
pub(crate) use queue::{Client, parsed};

//! Notifications as requests: one text, and a form for each protocol.
//!
//! Names and reasons come from a repository or a hub that anyone may have written. They are put only into elements that are not
//! formatted, and characters with a meaning are escaped, so they neither mention anyone nor look like anything else.

mod matrix;
mod request;
mod slack;
mod teams;
mod text;
mod webhook;
mod write;

pub use request::{Method, Request};
pub use text::{Letter, Text};
pub use write::request;

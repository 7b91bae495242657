//! What all forges have in common where something is published.

mod comment;
mod text;

pub(crate) use comment::{Found, check_body, check_commands, mine};
pub(crate) use text::shortened;

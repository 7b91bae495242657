//! What all forges have in common where something is published.

mod comment;
mod text;

pub(crate) use comment::{Found, check_body, mine};
pub(crate) use text::shortened;

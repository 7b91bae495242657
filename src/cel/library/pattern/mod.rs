//! Regular expressions as Go takes them.
//!
//! Go and the library used here agree in what an expression matches, but not in how it is written: each expression is read by
//! Go's rules, and written again in a form that means the same to the library.
//!
//! # Source
//! Go `regexp/syntax`.

mod cache;
mod class;
mod escape;
mod flags;
mod groups;
mod pieces;
mod read;

pub(crate) use self::cache::{Pattern, Patterns};

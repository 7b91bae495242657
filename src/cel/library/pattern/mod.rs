//! Regular expressions in Go's syntax.
//!
//! Go and `regex` agree on what an expression matches, but not on the syntax: each expression is parsed by Go's rules and
//! translated to the syntax of `regex`.
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

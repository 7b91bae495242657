//! Parses an expression into a tree, with macros expanded.
//!
//! # Source
//! `github.com/google/cel-go` v0.29 parser, and the error recovery of ANTLR 4.

mod cursor;
mod escape;
mod lexer;
mod literal;
mod logic;
mod macros;
mod member;
mod primary;
mod recovery;
mod rules;
mod token;
mod tree;

pub use self::escape::escaped;
pub(super) use self::rules::parse;
pub(super) use self::tree::{Entry, Fold, Kind, Literal, Name, NodeId, Tree, operator};

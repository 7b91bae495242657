//! From the text of an expression to its tree, with macros expanded.
//!
//! # Source
//! `github.com/google/cel-go` v0.29 parser, and the way in which ANTLR 4 goes on after a mistake.

mod cursor;
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

pub use self::primary::RESERVED;
pub(super) use self::rules::parse;
pub(super) use self::tree::{Entry, Fold, Kind, Literal, Name, NodeId, Tree, operator};

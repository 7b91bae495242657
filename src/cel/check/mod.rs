//! The type checker: finds the types of all nodes, and what names and calls refer to.
//!
//! # Source
//! `github.com/google/cel-go` v0.29 checker.

mod call;
mod checker;
mod collection;
mod format;
mod name;
mod reference;

pub(super) use self::checker::check;
pub(super) use self::name::{OLD_SELF, named};
pub(super) use self::reference::{Call, Checked, Reference, Variables};

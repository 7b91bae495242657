//! The standard library: operators, conversions, and functions of instants and durations.
//!
//! # Source
//! `github.com/google/cel-go` common/stdlib.

pub(super) mod convert;
pub(super) mod operators;
pub(super) mod timestamps;

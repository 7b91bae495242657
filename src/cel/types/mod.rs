//! The types of expressions, and their assignability.
//!
//! # Source
//! `github.com/google/cel-go` v0.29 common/types/types.go, checker/types.go.

mod bindings;
mod signature;
mod value;

pub(super) use self::bindings::{Bindings, most_general};
pub(super) use self::signature::signature;
pub(super) use self::value::{Param, Type};

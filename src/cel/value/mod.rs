//! The values that an expression computes with.
//!
//! # Source
//! `github.com/google/cel-go` v0.29 common/types.

mod arithmetic;
mod compare;
mod json;
mod list;
mod map;
mod order;
mod value;

pub(super) use self::compare::{Equality, equality, is_same};
pub(super) use self::json::owned;
pub(super) use self::list::List;
pub(super) use self::map::{Built, Map};
pub(super) use self::order::order;
pub(super) use self::value::{Cidr, Text, Value};

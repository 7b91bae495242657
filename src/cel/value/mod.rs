//! The values that an expression computes with.
//!
//! # Source
//! `github.com/google/cel-go` v0.29 common/types.

mod any;
mod arithmetic;
mod compare;
mod json;
mod list;
mod map;
mod order;

pub(super) use self::any::{Cidr, Text, Value};
pub(super) use self::compare::{Equality, equality, is_same};
pub(super) use self::json::owned;
pub(super) use self::list::List;
pub(super) use self::map::{Built, Map};
pub(super) use self::order::order;

//! The values that an expression computes with.
//!
//! # Source
//! `github.com/google/cel-go` v0.29 common/types.

mod arithmetic;
mod compare;
mod data;
mod json;
mod list;
mod map;
mod named_format;
mod order;
mod url;
mod version;

pub(super) use self::compare::{Equality, equality, is_same};
pub(super) use self::data::{Built, Cidr, List, Map, Str, Value};
pub(super) use self::json::{Unfit, owned, to_json};
pub(super) use self::named_format::NamedFormat;
pub(super) use self::order::order;
pub(super) use self::url::{Part, Url};
pub(super) use self::version::Version;

//! Addresses of resources.

mod escape;
mod functions;
mod parse;

pub(super) use self::functions::ROWS;
pub(in crate::cel) use self::parse::Url;

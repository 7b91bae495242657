//! URLs.

mod escape;
mod functions;
mod parse;

pub(super) use self::functions::ROWS;
pub(crate) use self::parse::Url;

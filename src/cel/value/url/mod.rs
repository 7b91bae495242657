//! URLs.

mod escape;
mod parse;

pub(crate) use self::escape::Part;
pub(crate) use self::parse::Url;

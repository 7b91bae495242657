//! Templates: data with expressions in its strings.

mod compile;
mod object;
mod render;
mod text;

pub(super) use self::compile::{Template, compile};
pub(crate) use self::object::depth;
pub(super) use self::object::{ObjectTemplate, objects};
pub(super) use self::render::render;

//! The parameters of a definition: their schema and rules, and the values that a component gives.

mod rules;
mod schema;
mod shape;
mod values;

pub(super) use self::schema::compile;
pub(crate) use self::values::Parameters;

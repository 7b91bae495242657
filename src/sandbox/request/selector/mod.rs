//! Label and field selectors.

mod fields;
mod labels;
mod whole;

pub(crate) use whole::Selector;

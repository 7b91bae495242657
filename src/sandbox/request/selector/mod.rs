//! Label and field selectors.

mod combined;
mod fields;

pub(crate) use combined::Selector;

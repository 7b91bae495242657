//! Selects the objects that a patch or a replacement applies to.
//!
//! Pure. Owns name patterns, label and annotation selectors, and fast lookup of objects. Does not own what happens to the objects.

pub(crate) mod field_reader;
mod index;
mod pattern;
mod selector;

pub(crate) use self::index::Index;
pub use self::selector::Selector;

//! Selects the objects that a patch or a replacement applies to.
//!
//! Pure. Owns name patterns, label and annotation selectors, and fast lookup of objects. Does not own what happens to the objects.

mod expression;
mod index;
mod members;
mod pattern;
mod selector;

pub(super) use self::index::Index;
pub(super) use self::members::{Members, text};
pub use self::selector::Selector;

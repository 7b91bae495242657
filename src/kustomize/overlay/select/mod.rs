//! Which objects a patch or a replacement is for.
//!
//! Pure. Owns patterns of names, selectors of labels and annotations, and finding objects fast. Does not own what happens to them.

mod expression;
mod index;
mod members;
mod pattern;
mod selector;

pub(super) use self::index::Index;
pub(super) use self::members::{Members, text};
pub use self::selector::Selector;

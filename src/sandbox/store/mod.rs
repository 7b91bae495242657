//! What the hub holds: objects with one running revision, and the recent history of each kind for watches. Pure.

mod history;
mod key;
mod objects;

pub(crate) use history::{Change, TooOld};
pub(crate) use key::{Key, Place};
pub(crate) use objects::Store;

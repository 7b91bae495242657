//! The hub's storage: objects, one revision counter for all of them, and the recent history of each kind for watches. Pure.

mod history;
mod key;
mod objects;
mod stored;

pub(crate) use history::{Change, TooOld, event_line};
pub(crate) use key::{Key, Place};
pub(crate) use objects::Store;
pub(crate) use stored::Stored;

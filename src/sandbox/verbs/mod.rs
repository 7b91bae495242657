//! The API verbs: a transaction for each write, and lists. Pure: the caller provides the clock and the lock.

mod apply;
mod body;
mod core_kinds;
mod create;
mod delete;
mod lifecycle;
mod list;
mod patch;
mod patches;
mod transaction;
mod update;

pub(crate) use body::decoding::go_type;
pub(crate) use body::input::Input;
pub(crate) use delete::Deleted;
pub(crate) use list::{Page, list, read_revision};
pub(crate) use transaction::{Transaction, Written};

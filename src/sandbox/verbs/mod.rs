//! What the hub does with objects: one transaction for every write, and reads. Pure: the clock and the lock are outside.

mod admission;
mod apply;
mod create;
mod define;
mod delete;
mod garbage;
mod list;
mod namespace;
mod patch;
mod transaction;
mod update;
mod validation;

pub(crate) use apply::check_manager;
pub(crate) use delete::Deleted;
pub(crate) use list::{Page, list};
pub(crate) use transaction::Transaction;

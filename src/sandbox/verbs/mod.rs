//! The API verbs: a transaction for each write, and lists. Pure: the caller provides the clock and the lock.

mod admission;
mod apply;
mod config;
mod core;
mod create;
mod decoding;
mod define;
mod definition;
mod delete;
mod garbage;
mod input;
mod json_patch;
mod list;
mod metadata;
mod namespace;
mod patch;
mod rbac;
mod strategic;
mod transaction;
mod undeclared;
mod update;
mod validation;

pub(crate) use decoding::go_type;
pub(crate) use delete::Deleted;
pub(crate) use input::Input;
pub(crate) use list::{Page, list, read_revision};
pub(crate) use transaction::{Transaction, Written};

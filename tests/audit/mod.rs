//! Tests of the audit, with intact journals and with journals that were tampered with.

mod clone;
mod every_field;
mod printed;
mod proof;
mod scene;
mod schema;
mod size;
mod stage;
mod story;
mod tampering;
mod unapproved;

pub(crate) use proof::{approved, each_entry, proven};

//! Tests of the audit: journals as they are written, and journals that somebody has tampered with.

mod clone;
mod proof;
mod scene;
mod schema;
mod size;
mod story;
mod tampering;

pub(crate) use proof::proven;

//! Functions of strings, and the formatting of values as strings.

pub(super) mod format;
pub(super) mod functions;

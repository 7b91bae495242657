//! The conditions of objects of applications: which fields they read, and whether they hold.

pub(crate) mod ready_when;

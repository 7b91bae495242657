//! The hub as the stand-in uses it: kinds, watches, the objects as last observed, and writes.

pub(in crate::upstream) mod cache;
pub(in crate::upstream) mod kind;
pub(in crate::upstream) mod watches;
pub(in crate::upstream) mod write;

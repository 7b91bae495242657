//! The controllers: pure functions from what is observed to the next writes, and what triggers them.

pub(in crate::upstream) mod addon;
mod assignment;
pub(in crate::upstream) mod cluster;
mod deploy;
mod own;
mod registration;
pub(in crate::upstream) mod trigger;
pub(in crate::upstream) mod view;

//! The core kinds: their defaults, the fields that cannot be changed, and their validation.

mod config;
mod rbac;
pub(super) mod strategy;

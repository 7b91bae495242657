//! Tests of `delivery` through its public face.
#![allow(clippy::unwrap_used, clippy::panic, reason = "clippy lets tests do so, but not the functions that they share")]

mod builders;
mod health;
mod properties;
mod rendering;
mod spec_hash;
mod workloads;
mod works;
mod writes;

//! Tests of `delivery` through its public face.

mod builders;
mod evidence;
mod health;
mod properties;
mod rendering;
mod spec_hash;
mod workloads;
mod works;
mod writes;

//! Tests of `delivery` through its public face.

mod builders;
mod health;
mod hosting;
mod properties;
mod rendering;
mod semantics;
mod spec_hash;
mod workloads;
mod works;
mod writes;

//! Tests of `delivery` through its public interface.

mod builders;
mod cause;
mod evidence;
mod health;
mod hosting;
mod origins;
mod properties;
mod reading;
mod reference;
mod registration;
mod rendering;
mod semantics;
mod spec_hash;
mod workloads;
mod works;
mod writes;

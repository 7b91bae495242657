//! Tests of `delivery` through its public interface.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics is a test that fails")]

mod application_workloads;
mod batches;
mod builders;
mod cause;
mod chain;
mod evidence;
mod health;
mod hosting;
mod origins;
mod other_unit;
mod permission;
mod phases;
mod possible;
mod properties;
mod reading;
mod ready_when;
mod reference;
mod registration;
mod registrations;
mod rendering;
mod replicas;
mod rollouts;
mod semantics;
mod sizes;
mod spec_hash;
mod status;
mod upstream;
mod workloads;
mod works;
mod writes;

#[path = "../../support/certificate_request.rs"]
mod certificate_request;
#[path = "../../support/instance.rs"]
mod instance;
#[path = "../../support/root.rs"]
mod root;

//! Any bytes are read in both ways, and what comes out is written.

#![no_main]

#[path = "../../tests/kustomize/overlay/entry_points.rs"]
mod entry_points;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| entry_points::yaml(bytes));

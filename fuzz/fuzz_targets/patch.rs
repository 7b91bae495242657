//! Any bytes are objects and a patch for them.

#![no_main]

#[path = "../../tests/kustomize/overlay/entry_points.rs"]
mod entry_points;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| entry_points::patch(bytes));

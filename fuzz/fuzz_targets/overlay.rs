//! Any bytes are the files of an overlay, which is rendered.

#![no_main]

#[path = "../../tests/kustomize/overlay/entry_points.rs"]
mod entry_points;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| entry_points::overlay(bytes));

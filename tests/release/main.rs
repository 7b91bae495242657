//! Tests of what a release consists of besides the program.

#![expect(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod bom;
mod foreign;
mod image;
mod root;
mod support;

#[path = "../support/files_below.rs"]
mod files_below;

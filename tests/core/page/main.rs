//! Tests of the page.

#![expect(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod filter;
mod hostile;
mod looks;
mod scene;
mod shown;
mod size;
mod views;

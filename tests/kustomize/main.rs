//! Tests of YAML and kustomizations.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics is a test that fails")]

mod fix;
mod format;
mod merge_value;
mod overlay;
pub(crate) mod vendor;
mod yaml;

#[path = "../support/recorded.rs"]
mod recorded;
#[path = "../support/root.rs"]
mod root;
#[path = "../support/transcript.rs"]
mod transcript;

//! Tests of signatures that `ssh-keygen`, `gpg` and `git` made. They are stored as files and verified without those
//! programs.
//!
//! The private keys among these files were created for these tests and give no access to anything.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics is a test that fails")]

mod allowed;
mod fixture;
#[path = "../support/git_command.rs"]
mod git_command;
#[cfg(not(feature = "openpgp"))]
mod no_openpgp;
#[cfg(feature = "openpgp")]
mod openpgp;
mod properties;
mod security_key;
mod signing;
mod ssh;

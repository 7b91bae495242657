//! The placement scheduler through its public face.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper of tests fails by panicking, as the tests do")]

mod condition;
mod example;
mod fixture;
mod group;
mod misconfigured;
mod property;
mod read;
mod score;
mod selection;
mod write;

//! Tests of approvals: which ones count, and when they are enough.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics is a test that fails")]

mod approval;
mod builder;
mod files;
mod people;
mod properties;
mod relevant;
mod review_properties;
mod reviews;
mod rule_steps;
mod rules;
mod trail;
mod void;
mod vouching;

//! Tests of checks: what answers mean, when checks are measured, and that nothing passes them.

mod answers;
mod bench;
mod clusters;
mod measurements;
mod mistakes;

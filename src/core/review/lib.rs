//! What a change would do, for reviewers.

pub mod policy;
pub mod presentation;
pub mod proposal;
pub mod rehearsal;

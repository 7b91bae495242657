//! Tests of `status` through its public interface.

mod conclusions;
mod fixture;
mod hashes;
mod layers;
mod merging;
mod overdue;
mod progressing;
mod state;

//! The logic of Tidegate, pure: what is declared, what each cluster should have, and whose turn it is.
//!
//! No module has a clock, I/O, `async` or randomness. `ARCHITECTURE.md` says which module imports which.

pub mod approval;
pub mod checker;
pub mod delivery;
pub mod journal;
pub mod placement;
pub mod plan;
pub mod repository;
pub mod rollout;
pub mod status;

//! A second opinion: whether what happens on the hub keeps the rules, judged by what it looks like from outside.
//!
//! It is written from the rules and not from the engine. All that it knows is what the repository declares and what the hub
//! shows: who has been told which configuration (the references of a ManagedClusterAddOn), which bytes went out (the hashes that
//! works carry), and who is selected (PlacementDecisions). So a mistake in the engine is not made a second time here.
//!
//! | rule | where it holds |
//! | --- | --- |
//! | a cluster that no placement selects is not started | strict and compat |
//! | a cluster is told the configurations that its layers give, each with the hash of its declared bytes | strict and compat |
//! | a work that changes carries the hashes that its cluster has been told before | strict and compat |
//! | success is claimed once all works carry the hashes, and are applied and available at their generation | strict and compat |
//! | success is claimed only while the add-on is available | strict |
//! | no cluster starts beyond `maxConcurrency`: those that started, and have not succeeded and soaked, take a place each | strict |
//! | no cluster starts while more have failed than may fail | strict |
//! | no cluster starts before the mandatory groups ahead of it have succeeded and soaked, or while one has no clusters | strict |
//! | with `ProgressivePerGroup`, no cluster starts before the groups ahead of it are over | strict |
//! | a placement is called complete only when all of its clusters have succeeded and soaked | strict |
//!
//! Rules are about what happens between two observations, so the first one alone breaks none, and what somebody finds on the hub
//! is nobody's fault. Between two observations a cluster may succeed, be relabelled or fail. What was done is a breach only if it
//! was wrong by what was known before *and* by what is known after: the checker raises no false alarm, and misses what was wrong
//! for the moment between two observations only.
//!
//! # Assumptions
//! Whom a plan selects is written down before a cluster is started because of that. Nobody else writes to what Tidegate drives. An add-on that somebody else drives is not looked at.

mod board;
mod completion;
mod configs;
mod declared;
mod evidence;
mod groups;
mod judge;
mod moment;
mod observe;
mod progress;
mod starts;
mod strategy;
mod violation;
mod world;

pub use configs::Configs;
pub use observe::{Checker, Observation};
pub use violation::{Lack, Violation};

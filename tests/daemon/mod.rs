//! The daemon as a whole: a real bare repository, the sandbox as hub, simulated clusters.
//!
//! Time is paused: it advances only while nothing is under way, which includes the threads of Git, so no test waits for a real second.
//! `world::now` is the time of day of the hub, the daemon and the commits. A test waits for a condition with `eventually`; a loop that
//! only yields would keep the time from advancing.

mod absence;
mod adopt;
mod app_deployments;
mod application_lifecycle;
mod applications;
mod attacks;
mod batches;
mod canaries;
mod certificates;
mod checked;
mod checks;
mod clock_steps;
mod companion;
mod control;
mod decisions;
mod disaster;
mod dispatch;
mod drift;
mod events;
mod faults;
mod fleet;
mod forge;
mod forged_journal;
mod histories;
mod hooks;
mod hub_kinds;
mod hubs;
mod journal;
mod later_journal;
mod left_out;
mod mirror;
mod next_revision;
mod notification;
mod owners;
mod per_cluster;
pub(crate) mod permissions;
mod plan_ahead;
mod policies;
mod recordings;
mod registration;
mod registration_agent;
mod removal;
mod replicas;
mod reverts;
mod rewind;
mod rollouts;
mod soak;
mod stale_health;
mod storm;
mod tokens;
mod trust;
mod upstream;
mod upstream_configs;
mod upstream_edges;
mod upstream_faults;
mod upstream_own;
mod vendored;
mod world;

pub(crate) use forge::transport;
pub(crate) use world::{git_in, now};

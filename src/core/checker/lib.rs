//! A second opinion: checks from the outside that what happens on the hub follows the rules.
//!
//! It is written from the rules, not from the engine, so that it does not repeat the engine's mistakes. It knows only what the
//! repository declares and what the hub shows: which configurations are assigned to which cluster (the references of a
//! ManagedClusterAddOn), which bytes went out (the hashes that works carry), and which clusters are selected
//! (PlacementDecisions).
//!
//! | rule | enforced in |
//! | --- | --- |
//! | a cluster that no placement selects is not started | strict and compat |
//! | a cluster that several entries of an AppDeployment select is not started | strict |
//! | a cluster is assigned the configurations that its layers give, each with the hash of its declared spec | strict and compat |
//! | a work that changes carries the hashes already assigned to its cluster | strict and compat |
//! | success is reported once all works carry the hashes, and are applied and available at their generation | strict and compat |
//! | where OCM's add-on manager delivers, it reports exactly the assigned copies as applied | strict and compat |
//! | success is reported only while the add-on is available, and every object of an application meets its conditions | strict |
//! | no work of an application is deleted before its cluster is known to keep claims, namespaces and CustomResourceDefinitions | strict and compat |
//! | an application whose components have an order does not keep an object that another unit declares and has on the cluster | strict |
//! | an object is not taken from a unit that still declares it | strict |
//! | an application gives up an object that moves to another unit once that one has it on the cluster | both |
//! | a component is delivered once everything that comes before it is healthy on the cluster | strict |
//! | no cluster starts beyond `maxConcurrency`: each cluster that started but has not succeeded and soaked takes a slot | strict |
//! | no cluster starts once more have failed than are allowed to | strict |
//! | no cluster starts before the mandatory groups ahead of it have succeeded and soaked, or while one has no clusters | strict |
//! | with `ProgressivePerGroup`, no cluster starts before every cluster of the groups ahead has soaked or failed | strict |
//! | no cluster starts during a pause, with an aborted digest, or in a quarantine that excludes it | strict |
//! | no cluster starts outside of all windows or in a freeze, unless people broke the glass, or without the approvals of its group | strict |
//! | no cluster starts beyond a limit, before an add-on that comes first, or while another add-on has a lock | strict |
//! | no cluster starts that is parked or has just returned, or while too many are unreachable | strict |
//! | no cluster starts that joined in the middle of a rollout and is held | strict |
//! | on the way back to the last good digest, no cluster starts before those of newer groups | strict |
//! | a placement is reported complete only when all of its clusters have succeeded and soaked | strict |
//!
//! Rules are about changes between two observations, so the first observation alone never breaks one: the state found on the hub
//! is not held against anyone. Between two observations a cluster may succeed, be relabeled or fail. An action counts as a
//! violation only if it was wrong by the state before *and* by the state after. The checker therefore raises no false alarms, and
//! misses only what was wrong for a moment between two observations.
//!
//! Clusters in quarantine, parked clusters and latecomers count for nothing in the rules on the order. The time at which a group was
//! reached, for approvals, and the results of checks are not on the hub, so they are not judged here.
//!
//! # Assumptions
//! The clusters that a plan selects are written to PlacementDecisions before any of them is started. No one else writes to the
//! objects that Tidegate drives. Add-ons that someone else drives are ignored.

mod acknowledged;
mod breach;
mod completion;
mod conditions;
mod configs;
mod data;
mod declared;
mod evidence;
mod gates;
mod given_up;
mod groups;
mod observe;
mod order;
mod owners;
mod phases;
mod placement_state;
mod progress;
mod ready;
mod scenario;
mod snapshot;
mod standing;
mod start;
mod starts;
mod strategy;
mod takeover;
mod violation;

pub use breach::Breach;
pub use configs::Configs;
pub use gates::Bar;
pub use observe::Checker;
pub use snapshot::Observation;
pub use violation::{Lack, Violation};

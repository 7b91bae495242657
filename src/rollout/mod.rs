//! Which clusters get a new configuration at this moment, which wait, and for what.
//!
//! Owns the rollout engine: a strategy, the decision groups, the status of each cluster and the time go in, one
//! [`Decision`] comes out. It applies nothing and remembers nothing: the next decision starts from fresh statuses. How
//! the status of a cluster is found out, and what a new configuration is, belong to the caller.
//!
//! There are two engines behind [`decide`]. *Compat* gives upstream's decisions, quirks included. *Strict* differs from
//! it in these points and in no other:
//!
//! | | compat | strict |
//! | --- | --- | --- |
//! | a mandatory group is unknown or empty | it is ignored | nothing starts, [`Wait::UnknownMandatoryGroup`] |
//! | failures | are counted in the order of names, so a cluster before the failed one may still start | are counted over all clusters before any starts |
//! | `maxFailures` above the number of clusters | means none | means all |
//! | `maxConcurrency` and mandatory groups | is not looked at: a mandatory group starts as a whole | bounds them too; a per cent is taken of the group |
//! | a cluster that may start comes, by name, before clusters under way | it takes a slot that one of those holds | starts only if all clusters under way leave a slot free |
//! | group indexes with a gap | the clusters behind it are lost | no cluster is lost |
//! | no `last_transition` | deadline and soak begin anew with each decision | begin at `started`, if that is given |
//! | a group is done | when the clusters in flight are not more than the failures | when each cluster succeeded and soaked, or its failure is tolerated |
//! | mandatory groups are done | a time-out or a cluster in flight elsewhere still holds back every start | the window slides as without them |
//! | type `All` | `minSuccessTime` and `maxFailures` are not looked at | a cluster soaks; a `maxFailures` above 0 is a budget |
//!
//! # Source
//! `open-cluster-management.io/sdk-go` pkg/apis/cluster v1alpha1 (rollout) and v1beta1 (placement decision tracker),
//! read 2026-11-20.

mod compat;
mod deadline;
mod engine;
mod error;
mod group;
mod number;
mod patience;
mod settings;
mod status;
mod strict;
mod threshold;
mod verdict;
mod wait;

pub use self::engine::{Decision, Input, decide};
pub use self::error::{Error, InvalidDeadline, InvalidThreshold};
pub use self::group::GroupKey;
pub use self::status::{ClusterStatus, Status};
pub use self::verdict::Verdict;
pub use self::wait::Wait;

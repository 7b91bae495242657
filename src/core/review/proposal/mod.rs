//! The plan of a change: what a revision will do to a fleet, compared with another revision, before it is merged.
//!
//! [`propose`] is a pure function over two repositories and a fleet. It selects clusters and configurations as
//! [`plan`](tidegate_plan::plan) does, folds the clusters with the same change into classes, and runs the rollout engine in virtual
//! time.
//!
//! ```text
//! base, head, fleet --outlooks--> targets of each cluster --classes--> clusters folded by what changes for them
//!                                                        --forecast-> waves, and when the rollout is done
//! ```
//!
//! The cost grows with the number of distinct templates and configurations, not with the number of clusters: manifests are rendered
//! once for each, for a cluster with the name `${CLUSTER_NAME}`.

mod addon;
mod assumed;
mod class;
mod components;
mod confirmed;
mod declared;
pub mod document;
mod half;
mod label;
mod left_out;
mod manner;
mod moves;
mod names;
mod object;
mod propose;
mod rendering;
mod request;
mod required;
mod rules;
mod schedule;
mod setting;
mod strategy;
mod way_back;

pub use self::assumed::{Reached, assumed, reached};
pub use self::confirmed::{Held, add_confirmed, held};
pub use self::manner::{Manners, manners};
pub use self::names::folded;
pub use self::object::object_changes;
pub use self::propose::{propose, rollouts};
pub use self::request::{Request, Side};

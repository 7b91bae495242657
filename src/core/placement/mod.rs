//! The placement scheduler: which clusters a Placement selects, in which decision groups, and what the hub should hold of it.
//!
//! Pure: the same observation and instant give the same decisions. Owns the rules from cluster sets to decision groups, the
//! reading of PlacementDecisions and the writes that make them right. Does not own when to schedule, nor carrying out the writes.
//!
//! Decides as upstream does, but for these rows, where upstream harms the fleet:
//!
//! | situation | upstream | here |
//! | --- | --- | --- |
//! | a misconfigured Placement | empties its decisions, so that workloads are evicted | [`Outcome::keep_decisions`] |
//! | a Placement names only sets that are not bound, while others are | empties its decisions | [`Outcome::keep_decisions`] |
//! | a negative `numberOfClusters` | crashes | misconfigured |
//! | a Placement whose name is too long for a label | fails without a word in the status | misconfigured |
//! | `tolerationSeconds` beyond 292 years | expired at once | kept as far as a date can be |
//!
//! # Source
//! `open-cluster-management.io/ocm` pkg/placement, read 2026-08-11.

mod candidate;
mod complete;
mod error;
mod explain;
mod expression;
mod group;
mod page;
mod predicate;
mod prioritizer;
mod read;
mod resource;
mod schedule;
mod score;
mod selector;
mod status;
mod tally;
mod toleration;
mod write;

pub use complete::{Contradiction, contradiction};
pub use error::Error;
pub use explain::{Explanation, FilterResult, PrioritizerResult};
pub use page::DecisionPage;
pub use read::read_decisions;
pub use schedule::{Code, Complaint, Input, Outcome, Ranked, explain, schedule, wants_scheduling};
pub use tally::{Balance, Tally};
pub use write::decision_writes;

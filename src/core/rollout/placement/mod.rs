//! The placement scheduler: selects the clusters of a Placement, divides them into decision groups, and plans the writes.
//!
//! Pure: the same observation and time give the same decisions. Owns the rules from cluster sets to decision groups, the
//! reading of PlacementDecisions, and the writes that correct them. Does not decide when to schedule, and does not carry out
//! the writes.
//!
//! Decides as upstream does, except in these cases, where upstream harms the fleet:
//!
//! | situation | upstream | here |
//! | --- | --- | --- |
//! | a misconfigured Placement | empties its decisions, so that workloads are evicted | [`Outcome::keep_decisions`] |
//! | a Placement names only unbound sets, while other sets are bound | empties its decisions | [`Outcome::keep_decisions`] |
//! | a negative `numberOfClusters` | crashes | misconfigured |
//! | a Placement whose name is too long for a label | fails without reporting it in the status | misconfigured |
//! | `tolerationSeconds` of more than 292 years | expires at once | honored; beyond the last possible date, it never expires |
//!
//! # Source
//! `open-cluster-management.io/ocm` pkg/placement, read 2026-08-11.

mod decisions;
mod explanation;
mod filter;
mod input;
mod not_selected;
mod outcome;
mod ranking;
mod schedule;
mod status;

pub use self::decisions::complete::{Contradiction, contradiction};
pub use self::decisions::error::Error;
pub use self::decisions::page::{DecisionPage, pages};
pub use self::decisions::read::{placement_of, read_decisions};
pub use self::decisions::write::decision_writes;
pub use self::filter::selector::Selector;
pub use self::ranking::tally::{Balance, Tally};
pub use explanation::{Explanation, FilterResult, PrioritizerResult};
pub use input::Input;
pub use not_selected::{NotSelected, not_selected};
pub use outcome::{Code, Outcome, PluginMessage, Ranked};
pub use schedule::{explain, schedule, wants_scheduling};

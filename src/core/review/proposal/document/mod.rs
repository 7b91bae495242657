//! The document: what a change does to a fleet.

mod addon;
mod approval;
mod change;
mod class;
mod plan;
mod policy;
mod rollout;
mod strategy;

pub use self::addon::{AddonPlan, AddonSide, SettingChange, WorkSize};
pub use self::approval::PlanApproval;
pub use self::change::Change;
pub use self::class::{Action, Class, GroupCount, ObjectChange};
pub use self::plan::{DeclaredChange, Finding, FleetSource, Plan, Revision, RulesPlan, Verdict};
pub use self::policy::{Applies, BrokenPolicy};
pub use self::rollout::{GroupPlan, Overlap, Wave};
pub(crate) use self::rollout::{label, unnamed};
pub use self::strategy::{Limit, PlacementPlan, StrategyPlan};

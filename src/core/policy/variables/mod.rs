//! The variables that rules read: a plan and its add-ons, with neutral values for what is not known.

mod addon;
mod describe;
mod plan;

pub use self::addon::{AddonVariables, ClassVariables, GroupVariables, PlacementVariables, WaveVariables};
pub use self::describe::{Circumstances, variables};
pub use self::plan::{ObjectVariables, PlanVariables, RevisionVariables, Variables};

//! The variables that rules read: a plan and its add-ons, with neutral values for what is not known.

mod addon;
mod describe;
mod object;
mod plan;

pub use self::addon::{AddonVariables, ClassVariables, GroupVariables, PlacementVariables, WaveVariables};
pub use self::describe::{Circumstances, variables};
pub use self::object::ObjectVariables;
pub use self::plan::{PlanVariables, RevisionVariables, Variables};

//! Staged rollouts of other tools, in the terms of Tidegate.
//!
//! Pure: files are values. Each field of an object is mapped, or it is in the report with the reason why it is not. Where a tool and Tidegate
//! differ, the result is the stricter one: fewer clusters at once, and more waiting. What is deployed is not imported; that is up to the
//! manifests of the add-on.

mod argo;
mod argo_label;
mod cron;
mod declare;
mod declare_policies;
mod document;
mod duration;
mod field;
mod fleet;
mod import;
mod imported;
mod kubefleet;
mod kubefleet_placement;
mod report;
mod rollout;
mod selector;
mod share;
mod stage_names;
mod sveltos;
mod talm;

pub use self::import::import;
pub use self::imported::{Imported, Options};
pub use self::report::{Entry, Outcome, Report};

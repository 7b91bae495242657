//! Policies as code: rules that judge the plan of a change.
//!
//! A rule is an expression over two variables, `addon` and `plan`, which [`Variables`] describes. It judges every add-on that
//! changes; one that reads only `plan` judges the change as a whole. A rule that has no value counts as broken, never as obeyed.
//!
//! ```text
//! Plan, Circumstances --variables--> PlanVariables --judge(Rules)--> verdicts --> plan document, complaints
//! ```

mod complaint;
mod judge;
pub mod library;
mod review;
mod rules;
mod standing;
mod test;
mod variables;
mod verdict;

pub use self::complaint::{complaints, records};
pub use self::judge::judge;
pub use self::review::{add, broken, review};
pub use self::rules::Rules;
pub use self::standing::standing;
pub use self::test::{TestResult, test, unusable};
pub use self::variables::{
    AddonVariables, Circumstances, ClassVariables, GroupVariables, ObjectVariables, PlacementVariables, PlanVariables,
    RevisionVariables, Variables, WaveVariables, variables,
};
pub use self::verdict::Verdict;

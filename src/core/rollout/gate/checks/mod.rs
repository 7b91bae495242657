//! The checks of RolloutPolicies: what is measured after a group, when, and what the results mean for the clusters of later groups.
//!
//! ```text
//! read       a declared check --> Check
//! stage      clusters of a group --> how far the group is
//! due        how far, last evidence --> when to measure again
//! expression, compare   clusters --> Measured                     (in the plan)
//! request, http, prometheus   an answer --> Measured              (beside it)
//! evidence   last evidence, Measured --> evidence                 (journaled)
//! judge      evidence --> Judgement --> a gate, or none
//! ```
//!
//! A check without a measurement that counts is closed: nothing passes because it could not be measured in time.

mod answer;
mod compare;
mod due;
mod evidence;
mod expression;
mod http;
mod judge;
mod observation;
mod prometheus;
mod read;
mod request;
mod stage;
mod state;
mod threshold;

pub use self::answer::Answer;
pub use self::evidence::Evidence;
pub(super) use self::judge::judged;
pub use self::judge::{Checkable, Judged, Judgement, failed};
pub use self::observation::{Key, Measured, Observation, Observations, Outcome};
pub(super) use self::read::Check;
pub use self::request::{Ask, Request};
pub use self::stage::{Member, Phase, Stage, Standing};
pub use self::state::State;

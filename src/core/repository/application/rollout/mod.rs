//! The trait `rollout`: batches inside a cluster. The settings say who carries them out.

mod applied;
mod batches;
mod carrier;
mod cautions;
mod objects;
mod properties;
mod words;

pub(super) use self::applied::{Misfit, applies, apply, executed};
pub(super) use self::cautions::cautions;
pub(super) use self::objects::{revision, revision_name};
pub(super) use self::properties::{is_given, schema, sized};
pub(super) use self::words::words;

/// The type of the trait.
pub(super) const ROLLOUT: &str = "rollout";

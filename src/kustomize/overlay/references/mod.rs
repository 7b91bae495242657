//! References by name: fields that follow the objects whose names changed.

mod candidates;
mod follow;
pub(super) mod ocm;
mod referrer;

pub(super) use self::follow::follow;

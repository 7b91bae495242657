//! References by name: fields that follow the objects whose names changed.

mod candidates;
pub(crate) mod ocm;
mod referrer;
mod target;
mod update;

pub(crate) use self::update::follow;

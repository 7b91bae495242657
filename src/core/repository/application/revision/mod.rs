//! Published revisions: applications in files that do not change any more, and that render to the same objects forever.

mod digest;
mod published;
pub(super) mod schema;

pub(crate) use self::digest::{DEFINITIONS, digest, stated};
pub(crate) use self::published::{Revision, definitions, embedded, key};

//! Assembles the objects of a revision into a repository, and keeps what an error blocks as it was.

pub(super) mod archive;
pub(super) mod contested;
pub(super) mod held;
pub(super) mod index;
mod obstacles;
pub(super) mod repository;
mod republished;
pub(super) mod rollback;
pub(super) mod sound;
mod sources;

//! Commits and pushes with the `git` of the user, who then is the author: with the user's name, signing key and access to the remote.
//!
//! No work tree, index or local branch is touched: a commit consists of objects in the repository, and is pushed by its id.

mod commit;
mod deliver;
mod place;
mod program;
mod push;

pub(crate) use commit::NewCommit;
pub(crate) use deliver::{Delivered, Target, deliver};
pub(crate) use place::Place;

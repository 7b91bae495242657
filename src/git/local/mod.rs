//! A remote that is a repository on this machine: its files are read and written in this process, as Git itself would.
//!
//! Other programs may use the repository at the same time, so the order is that of Git: objects first, what an object needs before
//! the object, and refs last, while their lock is held. A process that is killed leaves objects that nothing refers to, and no ref or
//! commit that lacks something.

mod collect;
mod fetch;
mod history;
mod housekeeping;
mod place;
mod push;
mod refs;
mod rules;
mod swap;
mod transfer;

pub(crate) use fetch::{list, receive, receive_commits};
pub(crate) use place::open;
pub(crate) use push::send;
pub(crate) use rules::needs_programs;

//! `tidegate explain`: why each cluster of an add-on is in its state, what it waits for, and when it is checked next.

mod addon;
mod cluster;
mod line;
mod run;

pub(crate) use run::run;

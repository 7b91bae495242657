//! `tidegate explain`: why each cluster of an add-on is in its state, what it waits for, and when it is checked next; and why two clusters
//! get different manifests.

mod addon;
mod cluster;
mod different;
mod gates;
mod line;
mod run;
mod values;

pub(crate) use run::{explained, of_cluster, run};

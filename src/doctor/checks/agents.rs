//! Do the agents of the clusters report?

use std::fmt;

use crate::doctor::facts::Cluster;
use crate::doctor::line::{Level, Verdict, few};

/// Which clusters report.
pub(super) struct Agents<'a> {
    accepted: usize,
    silent: Vec<&'a str>,
    waiting: usize,
}

/// Judges the clusters. One that the hub has not accepted is not expected to report.
pub(super) fn agents(all: &[Cluster]) -> Agents<'_> {
    let accepted: Vec<&Cluster> = all.iter().filter(|cluster| cluster.is_accepted).collect();
    let silent = accepted.iter().filter(|cluster| !cluster.is_available).map(|cluster| cluster.name.as_str());
    Agents { silent: silent.collect(), accepted: accepted.len(), waiting: all.len() - accepted.len() }
}

impl fmt::Display for Agents<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { accepted, silent, waiting } = self;
        match (*accepted, silent.len()) {
            (0, _) => write!(f, "the hub has no accepted cluster")?,
            (all, 0) => write!(f, "all {all} clusters report")?,
            (all, some) => write!(f, "{some} of {all} clusters do not report: {}", few(silent.iter().copied()))?,
        }
        if *waiting > 0 { write!(f, "; {waiting} more not accepted yet") } else { Ok(()) }
    }
}

impl Verdict for Agents<'_> {
    fn level(&self) -> Level {
        if self.silent.is_empty() && self.accepted > 0 { Level::Ok } else { Level::Warn }
    }

    fn fix(&self) -> Option<String> {
        match self.level() {
            Level::Ok => None,
            _ if self.accepted == 0 => Some("register clusters (`clusteradm join`) and accept them".to_owned()),
            _ => Some("check the network and the klusterlet of these clusters; `kubectl describe managedcluster` shows since when".to_owned()),
        }
    }
}

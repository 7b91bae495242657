//! What a proposal is made from.

use std::collections::BTreeMap;

use super::document::Revision;
use tidegate_api::fleet::Fleet;
use tidegate_model::instance::Instance;
use tidegate_model::name::UnitName;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_repository::{Loaded, Repository};

/// One of the two revisions.
#[derive(Debug, Clone)]
pub struct Side<'a> {
    /// Its name.
    pub revision: Revision,
    /// The revision as read.
    pub loaded: &'a Loaded,
    /// What is in force with it: in a head with errors, the blocked add-ons are those of the base.
    pub repository: &'a Repository,
}

/// The input of a plan of a change.
#[derive(Debug)]
pub struct Request<'a> {
    /// The revision before the change.
    pub base: Side<'a>,
    /// The revision with the change.
    pub head: Side<'a>,
    /// The fleet.
    pub fleet: &'a Fleet,
    /// Where the fleet was read from.
    pub source: &'a str,
    /// The time of its state, if it is known.
    pub as_of: Option<Timestamp>,
    /// The instance that will carry the change out.
    pub instance: &'a Instance,
    /// How long a cluster takes for each add-on, as far as that is known from earlier rollouts.
    pub latencies: &'a BTreeMap<UnitName, SignedDuration>,
    /// The begin of the rollout, in virtual time.
    pub now: Timestamp,
    /// The add-on to plan; `None` for all.
    pub only: Option<&'a str>,
}

//! Does OCM's add-on manager run, and who delivers?

use std::sync::Arc;

use super::Delivery;
use tidegate_api::fleet::Fleet;
use tidegate_api::key::{self, HUB_NAMESPACE};
use tidegate_api::lease::Lease;
use tidegate_api::mark::Mark;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_model::instance::Instance;
use tidegate_model::time::{SignedDuration, Timestamp};

pub use tidegate_api::addon_manager::{COMPONENT, is_manager};

/// The name of its lease. It does not say whose it is, but the holder does, as long as there is one.
const LEASE: &str = "manager-lock";

/// A manager whose lease is older no longer runs. A manager that restarts, or is being upgraded, renews its lease earlier.
const GONE: SignedDuration = SignedDuration::from_mins(15);
/// A write that is older says nothing about whether the writer still runs.
const RECENT: SignedDuration = SignedDuration::from_mins(5);
/// A manager that holds the lease renews it every 26 seconds. After two renewals that did not come, it counts as away.
pub const RENEWED: SignedDuration = SignedDuration::from_secs(60);

/// What shows whether the add-on manager runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sign {
    /// It renews its lease, or writes to the hub.
    Runs,
    /// It has not renewed its lease for a short time, or has just released it.
    Pauses,
    /// It has not renewed its lease for a long time.
    Gone,
    /// There is no lease of it. It may run without leader election.
    NoLease,
    /// The leases cannot be read, for this reason.
    Unknown(String),
}

/// Reads the signs of life of the add-on manager, which wrote to an add-on on a cluster at `last_write`.
pub fn sign(leases: Result<&[Lease], String>, last_write: Option<Timestamp>, now: Timestamp) -> Sign {
    if is_recent(last_write, now) {
        return Sign::Runs;
    }
    let leases = match leases {
        Ok(leases) => leases,
        Err(why) => return Sign::Unknown(why),
    };
    let Some(lease) = own(leases) else { return Sign::NoLease };
    let is_held = !lease.holder.is_empty();
    match lease.renewed {
        _ if lease.is_fresh(now) => {
            if is_held {
                Sign::Runs
            } else {
                Sign::Pauses
            }
        }
        // A manager that stops in order releases its lease, and one that takes its place takes it within seconds.
        Some(at) if is_held && now.duration_since(at) < GONE => Sign::Pauses,
        _ => Sign::Gone,
    }
}

/// Returns the newest lease of the add-on manager.
fn own(leases: &[Lease]) -> Option<&Lease> {
    let own = leases.iter().filter(|lease| lease.is_of(COMPONENT) || lease.name == LEASE && lease.holder.is_empty());
    own.max_by_key(|lease| lease.renewed)
}

/// Returns since when the add-on manager has been away: it has released its lease or stopped to renew it, and written nothing since. A
/// manager without leader election never counts as away.
pub fn away_since(leases: &[Lease], last_write: Option<Timestamp>, now: Timestamp) -> Option<Timestamp> {
    let lease = own(leases)?;
    let since = lease.renewed?;
    let has_stopped = lease.holder.is_empty() || now.duration_since(since) > RENEWED;
    (has_stopped && last_write.is_none_or(|last| last <= since)).then_some(since)
}

/// Returns `true` if the add-on manager has recently written to an add-on on a cluster; `last` is when it did so last. A time that is far in
/// the future says nothing: the own clock is wrong.
pub fn is_recent(last: Option<Timestamp>, now: Timestamp) -> bool {
    last.is_some_and(|time| now.duration_since(time).abs() < RECENT)
}

/// Returns when the add-on manager wrote last to one of these add-ons on clusters.
pub fn last_write<'a>(addons: impl IntoIterator<Item = &'a Arc<ManagedClusterAddOn>>) -> Option<Timestamp> {
    let entries = addons.into_iter().flat_map(|addon| addon.metadata.managed_fields.iter().flatten());
    let own = entries.filter(|entry| entry.manager.as_deref().is_some_and(is_manager));
    own.filter_map(|entry| Some(entry.time.as_ref()?.0)).max()
}

/// Returns who delivers the add-ons of an instance according to the hub; `None` if the hub has none of them.
pub fn shown(fleet: &Fleet, instance: &Instance) -> Option<Delivery> {
    let ours = fleet.addons.values().filter(|addon| Mark::of(&addon.metadata).is_some_and(|mark| mark.is_of(instance)));
    let upstream = ours.map(|addon| {
        let annotations = addon.metadata.annotations.as_ref();
        annotations.is_some_and(|annotations| annotations.contains_key(key::INSTALL_STRATEGY))
    });
    upstream.reduce(|any, upstream| any || upstream).map(|any| if any { Delivery::Upstream } else { Delivery::Native })
}

/// The leases cannot be read, and nothing else shows who delivers. Two managers would fight, so nothing may be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "it is not known whether OCM's add-on manager runs: {why}; let Tidegate list leases in namespace {HUB_NAMESPACE}, or set [delivery] \
     mode to \"native\" or \"upstream\""
)]
pub struct Unknown {
    /// Why the leases cannot be read.
    pub why: String,
}

/// Decides who delivers. `before` is who did so far.
///
/// A manager that pauses does not change anything: it may be restarting, and a hand-over touches every cluster.
///
/// # Errors
/// [`Unknown`]
pub fn chosen(sign: Sign, before: Option<Delivery>) -> Result<Delivery, Unknown> {
    match (sign, before) {
        (Sign::Runs, _) => Ok(Delivery::Upstream),
        (Sign::Gone, _) => Ok(Delivery::Native),
        (Sign::Pauses | Sign::NoLease | Sign::Unknown(_), Some(before)) => Ok(before),
        (Sign::NoLease, None) => Ok(Delivery::Native),
        (Sign::Pauses, None) => Ok(Delivery::Upstream),
        (Sign::Unknown(why), None) => Err(Unknown { why }),
    }
}

//! Does OCM's add-on manager drive the same add-ons?
//!
//! It serves every add-on whose supported configurations include AddOnTemplates, whatever its lifecycle annotation says.

use std::fmt;

use crate::doctor::facts::{Addon, Facts, Gate, Lease, Writer};
use crate::doctor::line::{Level, Line, Verdict, few, line};
use tidegate_delivery::upstream::{DeliveryMode, manager};
use tidegate_model::time::{SignedDuration, Timestamp};

/// A write that is older says nothing about whether the writer still runs.
const FRESH: SignedDuration = SignedDuration::from_mins(5);
/// The gate of OCM that lets its add-on manager run.
const GATE: &str = "AddonManagement";

/// Returns the fresh lease of a component: it is held by its pod, or named after it.
pub(super) fn fresh<'a>(leases: &'a [Lease], component: &str, now: Timestamp) -> Option<&'a Lease> {
    leases.iter().find(|lease| lease.is_of(component) && lease.is_fresh(now))
}

/// What is known of OCM's add-on manager.
pub(super) enum Manager<'a> {
    Disabled,
    Absent,
    /// It runs, and serves none of our add-ons.
    Beside(&'a str),
    /// It runs, and delivers these add-ons of ours, or will.
    Delivers(&'a str, Vec<&'a str>),
    /// It runs, and serves these add-ons of ours, which Tidegate delivers itself.
    Fights(&'a str, Vec<&'a str>),
    /// It delivers these add-ons of ours, and has been away since this time.
    Away(Timestamp, Vec<&'a str>),
    /// The add-on manager should deliver, but is not running.
    Missing,
}

/// Returns the line about OCM's add-on manager.
pub(super) fn line_of(facts: &Facts) -> Line {
    const CHECK: &str = "add-on manager";
    let is_upstream = facts.delivery == DeliveryMode::Upstream;
    if let Ok(Some(gates)) = &facts.gates
        && gates.iter().any(|gate| gate.feature == GATE && !gate.is_enabled)
    {
        return line(CHECK, &if is_upstream { Manager::Missing } else { Manager::Disabled });
    }
    match (&facts.leases, &facts.addons) {
        (Ok(leases), Ok(addons)) => {
            let writers = facts.writers.as_deref().unwrap_or_default();
            let last =
                writers.iter().filter(|writer| manager::is_manager(&writer.name)).map(|writer| writer.last).max();
            let away = manager::away_since(leases, last, facts.now);
            let delivered = addons.iter().filter(|addon| addon.is_ours && addon.is_upstream);
            let delivered: Vec<&str> = delivered.map(|addon| addon.name.as_str()).collect();
            match away.filter(|_| !delivered.is_empty() && facts.delivery != DeliveryMode::Native) {
                Some(since) => line(CHECK, &Manager::Away(since, delivered)),
                None => line(CHECK, &manager(sign(leases, writers, facts.now), addons, facts.delivery)),
            }
        }
        (Err(unknown), _) | (_, Err(unknown)) => line(CHECK, unknown),
    }
}

/// Returns the sign of life of the add-on manager: a fresh lease, or a recent write to our objects by its field manager. It may run
/// without leader election.
fn sign<'a>(leases: &'a [Lease], writers: &'a [Writer], now: Timestamp) -> Option<&'a str> {
    if let Some(lease) = fresh(leases, manager::COMPONENT, now) {
        return Some(&lease.holder);
    }
    let is_recent = |writer: &&Writer| manager::is_manager(&writer.name) && now.duration_since(writer.last) < FRESH;
    writers.iter().find(is_recent).map(|writer| writer.name.as_str())
}

fn manager<'a>(sign: Option<&'a str>, addons: &'a [Addon], delivery: DeliveryMode) -> Manager<'a> {
    let Some(sign) = sign else {
        return if delivery == DeliveryMode::Upstream { Manager::Missing } else { Manager::Absent };
    };
    let shared = addons.iter().filter(|addon| addon.is_ours && (addon.has_template || addon.is_upstream));
    let shared: Vec<&str> = shared.map(|addon| addon.name.as_str()).collect();
    match (shared.is_empty(), delivery) {
        (true, _) => Manager::Beside(sign),
        (false, DeliveryMode::Native) => Manager::Fights(sign, shared),
        (false, DeliveryMode::Auto | DeliveryMode::Upstream) => Manager::Delivers(sign, shared),
    }
}

impl fmt::Display for Manager<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disabled => write!(f, "OCM's add-on manager is disabled by its feature gate"),
            Self::Absent => write!(f, "OCM's add-on manager has neither renewed a lease nor written recently"),
            Self::Beside(sign) => write!(f, "{sign} runs, and serves no add-on of Tidegate"),
            Self::Delivers(sign, names) => write!(f, "{sign} delivers {}", few(names.iter().copied())),
            Self::Fights(sign, names) => write!(f, "{sign} also drives {}", few(names.iter().copied())),
            Self::Away(since, names) => {
                write!(
                    f,
                    "OCM's add-on manager, which delivers {}, has been away since {since}",
                    few(names.iter().copied())
                )
            }
            Self::Missing => write!(f, "OCM's add-on manager is to deliver, and does not run"),
        }
    }
}

impl Verdict for Manager<'_> {
    fn level(&self) -> Level {
        match self {
            Self::Disabled | Self::Absent | Self::Beside(_) | Self::Delivers(..) => Level::Ok,
            Self::Fights(..) | Self::Away(..) | Self::Missing => Level::Fail,
        }
    }

    fn fix(&self) -> Option<String> {
        match self {
            Self::Disabled | Self::Absent | Self::Beside(_) | Self::Delivers(..) => None,
            Self::Fights(..) => Some(
                "set [delivery] mode to \"auto\" in the configuration file of the daemon, or disable the gate AddonManagement in \
                 spec.addOnManagerConfiguration.featureGates of the ClusterManager"
                    .to_owned(),
            ),
            Self::Away(..) | Self::Missing => Some(
                "start it (`kubectl get pods -n open-cluster-management-hub`), or set [delivery] mode to \"auto\" in the \
                 configuration file of the daemon"
                    .to_owned(),
            ),
        }
    }
}

/// The feature gate of the add-on manager.
pub(super) enum Gates {
    Invisible,
    Default,
    Set(bool),
}

/// Judges the feature gates, if the hub has a ClusterManager.
pub(super) fn gates(gates: Option<&[Gate]>) -> Gates {
    let Some(gates) = gates else { return Gates::Invisible };
    let gate = gates.iter().find(|gate| gate.feature == GATE);
    gate.map_or(Gates::Default, |gate| Gates::Set(gate.is_enabled))
}

impl fmt::Display for Gates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invisible => write!(f, "the hub has no ClusterManager, so none are visible"),
            Self::Default => write!(f, "{GATE} has its default"),
            Self::Set(true) => write!(f, "{GATE} is enabled"),
            Self::Set(false) => write!(f, "{GATE} is disabled"),
        }
    }
}

impl Verdict for Gates {
    fn level(&self) -> Level {
        // What follows from a gate is reported by the check of the add-on manager.
        Level::Ok
    }

    fn fix(&self) -> Option<String> {
        None
    }
}

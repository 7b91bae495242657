//! Who delivers: Tidegate, or OCM's add-on manager.

use super::renewals::Renewals;
use super::waiting::is_ahead;
use crate::hub::Hub;
use tidegate_api::fleet::{ClusterAddons, Fleet};
use tidegate_api::lease::Lease;
use tidegate_delivery::upstream::manager::{Unknown, away_since, chosen, is_recent, last_write, shown, sign};
use tidegate_delivery::upstream::{Delivery, DeliveryMode};
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::instance::Instance;
use tidegate_model::name::UnitName;
use tidegate_model::shared::Derived;
use tidegate_model::time::{SignedDuration, Timestamp};

/// How often the add-on manager is looked for.
const INTERVAL: SignedDuration = SignedDuration::from_secs(30);

/// Decides who delivers, and remembers it.
#[derive(Debug)]
pub(super) struct Chooser {
    mode: DeliveryMode,
    current: Option<Delivery>,
    /// When to look for the add-on manager again.
    due: Option<Timestamp>,
    /// Since when the add-on manager has been away although it delivers.
    away: Option<Timestamp>,
    renewals: Renewals,
    /// When the add-on manager wrote to the clusters of each add-on last.
    writes: LastWrites,
}

/// When the add-on manager wrote last, by add-on.
type LastWrites = Derived<UnitName, ClusterAddons, Option<Timestamp>>;

impl Chooser {
    pub(super) fn new(mode: DeliveryMode) -> Self {
        Self {
            mode,
            current: None,
            due: None,
            away: None,
            renewals: Renewals::default(),
            writes: LastWrites::default(),
        }
    }

    /// Returns who delivers now. `is_underway` returns whether clusters wait for what they deliver.
    ///
    /// # Errors
    /// [`Unknown`]
    pub(super) async fn choose(
        &mut self,
        hub: &Hub,
        fleet: &Fleet,
        instance: &Instance,
        (is_underway, now): (impl Fn() -> bool, Timestamp),
    ) -> Result<Delivery, Unknown> {
        let last_write = self.last_write(fleet);
        match (self.mode, self.current) {
            (DeliveryMode::Native, _) => return Ok(*self.current.insert(Delivery::Native)),
            (DeliveryMode::Upstream, _) => {
                if !is_underway() {
                    (self.due, self.away) = (None, None);
                } else if self.is_due(now) {
                    // Without the permission to list leases, nothing is known of the manager.
                    let leases = self.renewals.dated(hub.leases().await.unwrap_or_default(), now);
                    self.note_leases(&leases, last_write, now);
                }
                return Ok(*self.current.insert(Delivery::Upstream));
            }
            // A manager that writes has to be noticed before anything is decided from what it wrote.
            (DeliveryMode::Auto, Some(current))
                if !self.is_due(now) && (current == Delivery::Upstream || !is_recent(last_write, now)) =>
            {
                return Ok(current);
            }
            (DeliveryMode::Auto, _) => {}
        }
        let leases = hub.leases().await.map_err(|error| ErrorChain(&error).to_string());
        let leases = leases.map(|leases| self.renewals.dated(leases, now));
        let sign = sign(leases.as_deref().map_err(String::clone), last_write, now);
        let leases = leases.unwrap_or_default();
        let before = self.current.or_else(|| shown(fleet, instance));
        let delivery = chosen(sign.clone(), before)?;
        if self.current != Some(delivery) {
            tracing::info!(?delivery, manager = ?sign, "delivery was chosen");
        }
        self.current = Some(delivery);
        self.note_leases(&leases, last_write, now);
        Ok(delivery)
    }

    /// Returns when the add-on manager wrote to an add-on on a cluster last.
    fn last_write(&mut self, fleet: &Fleet) -> Option<Timestamp> {
        let last = self.writes.updated(&fleet.cluster_addons, |_, clusters| last_write(clusters.values()));
        last.flatten().max().copied()
    }

    /// Returns `true` if it is time to look for the add-on manager.
    fn is_due(&self, now: Timestamp) -> bool {
        !self.due.is_some_and(|due| is_ahead(due, now, INTERVAL.unsigned_abs()))
    }

    /// Records what the leases show of an add-on manager that delivers, and when to look at them next.
    fn note_leases(&mut self, leases: &[Lease], last_write: Option<Timestamp>, now: Timestamp) {
        let away = away_since(leases, last_write, now).filter(|_| self.current != Some(Delivery::Native));
        match (self.away, away) {
            (None, Some(since)) => tracing::warn!(%since, "OCM's add-on manager, which delivers, is away"),
            (Some(_), None) => tracing::info!("OCM's add-on manager is back, or does not deliver any longer"),
            _ => {}
        }
        self.away = away;
        self.due = now.checked_add(INTERVAL).ok();
    }

    /// Returns since when the add-on manager has been away although clusters wait for what it delivers.
    pub(super) fn away_since(&self, is_underway: impl Fn() -> bool) -> Option<Timestamp> {
        self.away.filter(|_| self.current() == Delivery::Upstream && is_underway())
    }

    /// Returns a warning if Tidegate is configured to deliver although OCM's add-on manager writes to the same add-ons.
    pub(super) fn conflict(&mut self, fleet: &Fleet, now: Timestamp) -> Option<String> {
        let is_contested = self.current() == Delivery::Native && is_recent(self.last_write(fleet), now);
        is_contested.then(|| {
            "OCM's add-on manager writes to the add-ons that Tidegate delivers; set [delivery] mode to \"auto\", or disable the \
             feature gate AddonManagement of the ClusterManager"
                .to_owned()
        })
    }

    /// Returns who delivered at the last tick.
    pub(super) fn current(&self) -> Delivery {
        self.current.unwrap_or_default()
    }

    /// Returns when to look for the add-on manager again.
    pub(super) fn look_at(&self) -> Option<Timestamp> {
        self.due
    }
}

//! Who delivers: Tidegate, or OCM's add-on manager.

use crate::hub::Hub;
use tidegate_api::fleet::Fleet;
use tidegate_core::upstream::manager::{chosen, shown, sign, writes};
use tidegate_core::upstream::{Delivery, DeliveryMode};
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::instance::Instance;
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
}

impl Chooser {
    pub(super) fn new(mode: DeliveryMode) -> Self {
        Self { mode, current: None, due: None }
    }

    /// Returns who delivers now.
    ///
    /// # Errors
    /// It cannot be decided, for this reason.
    pub(super) async fn choose(
        &mut self,
        hub: &Hub,
        fleet: &Fleet,
        instance: &Instance,
        now: Timestamp,
    ) -> Result<Delivery, String> {
        match (self.mode, self.current) {
            (DeliveryMode::Native, _) => return Ok(*self.current.insert(Delivery::Native)),
            (DeliveryMode::Upstream, _) => return Ok(*self.current.insert(Delivery::Upstream)),
            // A manager that writes has to be noticed before anything is decided from what it wrote.
            (DeliveryMode::Auto, Some(current))
                if self.due.is_some_and(|due| now < due) && (current == Delivery::Upstream || !writes(fleet, now)) =>
            {
                return Ok(current);
            }
            (DeliveryMode::Auto, _) => {}
        }
        let leases = hub.leases().await.map_err(|error| ErrorChain(&error).to_string());
        let sign = sign(leases.as_deref().map_err(String::clone), fleet, now);
        let before = self.current.or_else(|| shown(fleet, instance));
        let delivery = chosen(sign.clone(), before)?;
        if self.current != Some(delivery) {
            tracing::info!(?delivery, manager = ?sign, "delivery was chosen");
        }
        self.current = Some(delivery);
        self.due = now.checked_add(INTERVAL).ok();
        Ok(delivery)
    }

    /// Returns a warning if Tidegate is configured to deliver although OCM's add-on manager writes to the same add-ons.
    pub(super) fn conflict(&self, fleet: &Fleet, now: Timestamp) -> Option<String> {
        let is_contested = self.current() == Delivery::Native && writes(fleet, now);
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
    pub(super) fn wake_at(&self) -> Option<Timestamp> {
        self.due
    }
}

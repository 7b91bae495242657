//! Add-ons that someone else drives: two managers of one add-on would fight, so nothing is done for them.

use std::fmt;

use super::hub_objects::ownership::{Owner, remedy};
use super::input::Input;
use tidegate_api::key;
use tidegate_api::mark::Mark;
use tidegate_api::object_key;
use tidegate_delivery::status::install;
use tidegate_delivery::upstream::Delivery;
use tidegate_model::name::UnitName;

/// Why an add-on is refused. Its text says what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    addon: UnitName,
    driver: Driver,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Driver {
    /// Another instance.
    Instance(Mark),
    /// OCM's add-on manager.
    Manager,
}

impl Refusal {
    /// Returns `true` if the add-on is accepted where the daemon delivers through OCM's add-on manager.
    pub fn depends_on_delivery(&self) -> bool {
        self.driver == Driver::Manager
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { addon, driver } = self;
        match driver {
            Driver::Instance(mark) => {
                write!(f, "ClusterManagementAddOn {addon} on the hub belongs to {mark}; {}", remedy(mark))
            }
            Driver::Manager => write!(
                f,
                "the hub already has ClusterManagementAddOn {addon}, and upstream's add-on manager drives it; to hand it over, run: \
                 kubectl annotate clustermanagementaddon {addon} {}={} --overwrite",
                key::LIFECYCLE,
                key::LIFECYCLE_SELF,
            ),
        }
    }
}

/// Returns why an add-on of the repository is refused.
pub(super) fn refusal(input: &Input<'_>, addon: &UnitName) -> Option<Refusal> {
    let observed = input.fleet.addons.get(addon.as_str())?;
    let ownership = input.ownership();
    let key = object_key::addon(addon.as_str());
    let owner = match input.fleet.declared.get(&key) {
        Some(object) => ownership.of_object(object),
        None => ownership.of_mark(Mark::of(&observed.metadata)),
    };
    let driver = match owner {
        Owner::Ours => return None,
        Owner::Other(mark) => Driver::Instance(mark),
        Owner::Nobody if input.delivery == Delivery::Upstream || !install::is_managed(observed) => return None,
        Owner::Nobody => Driver::Manager,
    };
    Some(Refusal { addon: addon.clone(), driver })
}

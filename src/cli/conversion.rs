//! Does the hub keep the registrations of agents complete in each version that it serves?

use crate::cli::failure::Failure;
use crate::doctor::facts::Definition;
use crate::doctor::{self, Level, Line};
use tidegate_api::key::ADDON_GROUP;
use tidegate_daemon::hub::Hub;

/// Refuses a hub on which registrations of agents lose fields, since no error would be reported anywhere. A hub that does not show its
/// CRDs is accepted; `tidegate doctor` reports that.
pub(super) async fn check(hub: &Hub) -> Result<(), Failure> {
    let mut definitions = Vec::new();
    for plural in ["clustermanagementaddons", "managedclusteraddons"] {
        let crd = hub.definition(&format!("{plural}.{ADDON_GROUP}")).await;
        let crd = crd.map_err(|error| Failure::unreachable(&error, "start again when the hub answers"))?;
        definitions.extend(crd.as_ref().and_then(Definition::read));
    }
    match doctor::conversion(&definitions) {
        Line { level: Level::Fail, detail, fix, .. } => {
            Err(Failure::Usage(format!("the hub cannot be used: {detail}; {}", fix.unwrap_or_default())))
        }
        _ => Ok(()),
    }
}

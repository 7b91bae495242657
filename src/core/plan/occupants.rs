//! Which units have objects of an application on a cluster.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::input::Input;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_model::json_text::JsonText;
use tidegate_model::name::{ApplicationName, ClusterName, NamespacedName, UnitName};
use tidegate_repository::{NAME_LABEL, NAMESPACE_LABEL};

/// The units of each application on each cluster, other than the Application itself.
type Found = BTreeMap<ClusterName, BTreeMap<UnitName, BTreeSet<UnitName>>>;

/// The units that have objects of an application on a cluster. They are read from the works when they are asked for: units at rest do not ask.
#[derive(Debug, Default)]
pub(crate) struct Occupants(OnceLock<Found>);

impl Occupants {
    /// Returns `true` if a cluster has objects of an application that a unit other than this one and the Application itself delivered.
    pub(crate) fn has_other(
        &self,
        input: &Input<'_>,
        (unit, application): (&UnitName, &ApplicationName),
        cluster: &ClusterName,
    ) -> bool {
        let found = self.0.get_or_init(|| found(input));
        let units = found.get(cluster).and_then(|applications| applications.get(application.as_str()));
        units.is_some_and(|units| units.iter().any(|other| other != unit))
    }
}

/// Reads the works of all units that may have objects of other applications: AppDeployments, and what is not in the repository any more.
fn found(input: &Input<'_>) -> Found {
    let delivers_itself = |unit: &UnitName| {
        let unit = input.repository.addons.get(unit);
        unit.is_some_and(|unit| unit.published().next().is_none())
    };
    let may_have = |unit: &UnitName| matches!(unit, UnitName::Application(_)) && !delivers_itself(unit);
    let mut found = Found::new();
    for (unit, clusters) in input.fleet.works.iter().filter(|(unit, _)| may_have(unit)) {
        for (cluster, works) in clusters.iter() {
            for application in works.values().filter_map(application) {
                if application != *unit {
                    found.entry(cluster.clone()).or_default().entry(application).or_default().insert(unit.clone());
                }
            }
        }
    }
    found
}

/// Returns the application of the objects in a work, by the labels of the first object that has them: a work has objects of one application.
fn application(work: &Arc<ManifestWork>) -> Option<UnitName> {
    let labelled = |manifest: &JsonText| {
        let manifest = manifest.value();
        let labels = manifest.pointer("/metadata/labels")?;
        let label = |name: &str| labels.get(name).and_then(Value::as_str);
        let (namespace, name) = (label(NAMESPACE_LABEL)?, label(NAME_LABEL)?);
        ApplicationName::try_from(&NamespacedName::new(namespace, name)).ok().map(UnitName::Application)
    };
    work.spec.workload.as_ref()?.manifests.iter().find_map(labelled)
}

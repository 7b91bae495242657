//! The properties of the trait.

use serde::Deserialize;
use serde_json::{Value, json};

use super::ROLLOUT;
use super::batches::Amount;
use crate::application::parsed::Component;
use crate::application::schema::{at_least, label, object};

/// Maximum number of batches.
const MOST_BATCHES: usize = 100;

/// Returns the schema of the properties.
pub(in crate::application) fn schema() -> Value {
    let amount = json!({ "x-kubernetes-int-or-string": true, "pattern": "^[0-9]{1,9}%?$" });
    let batch = object(&["replicas"], json!({ "replicas": amount }));
    let properties = json!({
        "targetRevision": label(63),
        "targetSize": at_least(1),
        "rolloutBatches": { "type": "array", "minItems": 1, "maxItems": MOST_BATCHES, "items": batch },
        "batchPartition": at_least(0),
    });
    object(&["targetSize"], properties)
}

/// The properties of the trait.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::application) struct Properties {
    /// The revision that the replicas run; by default that of the component.
    #[serde(default)]
    pub(super) target_revision: Option<String>,
    pub(super) target_size: i64,
    #[serde(default)]
    pub(super) rollout_batches: Vec<Batch>,
    /// The index of the last batch that is replaced; all of them if it is absent.
    #[serde(default)]
    pub(super) batch_partition: Option<i64>,
}

/// A batch.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(in crate::application) struct Batch {
    pub(super) replicas: Value,
}

impl Properties {
    pub(super) fn amounts(&self) -> Vec<Amount> {
        self.rollout_batches.iter().filter_map(|batch| Amount::read(&batch.replicas)).collect()
    }
}

/// The trait of a component.
#[derive(Debug)]
pub(in crate::application) struct Given {
    /// Its index.
    pub(super) index: usize,
    pub(super) properties: Properties,
}

/// Returns the names of the components with the trait.
pub(in crate::application) fn sized(components: &[Component]) -> Vec<String> {
    let has_size = |component: &&Component| given(component).is_some();
    components.iter().filter(has_size).map(|component| component.name.clone()).collect()
}

/// Returns `true` if a component has the trait `rollout`.
pub(in crate::application) fn is_given(component: &Component) -> bool {
    component.traits.iter().any(|of_component| of_component.type_ == ROLLOUT)
}

/// Returns the first trait `rollout` of a component that can be read.
pub(in crate::application) fn given(component: &Component) -> Option<Given> {
    let mut traits = component.traits.iter().enumerate().filter(|(_, of_component)| of_component.type_ == ROLLOUT);
    let (index, found) = traits.next()?;
    let properties = Properties::deserialize(Value::Object(found.properties.clone())).ok()?;
    Some(Given { index, properties })
}

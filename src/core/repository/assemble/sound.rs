//! Objects that passed their checks, converted to one version, with defaults and types.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::application::{AppDeployment, Parsed, Revision, is_app_deployment, is_application, is_revision};
use crate::read::kinds;
use crate::read::object::Object;
use tidegate_api::key;
use tidegate_api::ocm::addon_deployment_config::{AddOnDeploymentConfig, AddOnDeploymentConfigSpec};
use tidegate_api::ocm::addon_template::AddOnTemplate;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::convert::{AddonVersion, convert};
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::managed_cluster_set::{ManagedClusterSet, ManagedClusterSetBinding};
use tidegate_api::ocm::placement::Placement;
use tidegate_api::rollout_policy::RolloutPolicy;
use tidegate_api::schema::{Schema, defaulting};
use tidegate_model::object::group_version;

/// An object that passed its checks.
pub(crate) struct Sound {
    /// The object as declared; v1beta1 in the add-on group.
    pub(crate) declared: Arc<Value>,
    pub(super) typed: Typed,
}

/// An object with defaults, in the type of its kind.
pub(super) enum Typed {
    Addon(Arc<ClusterManagementAddOn>),
    Override(Arc<ManagedClusterAddOn>),
    Placement(Arc<Placement>),
    ClusterSet(Arc<ManagedClusterSet>),
    Binding(Arc<ManagedClusterSetBinding>),
    Cluster(Arc<ManagedCluster>),
    Policy(Arc<RolloutPolicy>),
    DeploymentConfig(Arc<AddOnDeploymentConfigSpec>),
    Application(Arc<Parsed>),
    Revision(Arc<Revision>),
    AppDeployment(Arc<AppDeployment>),
    /// An object of a kind that is passed through untyped.
    Plain,
}

/// An object does not fit the type of its kind.
#[derive(Debug, thiserror::Error)]
#[error("this cannot be read as {kind}: {why}; write a valid value")]
pub(crate) struct Unfit {
    kind: String,
    why: Box<dyn std::error::Error + Send + Sync>,
}

impl Unfit {
    fn new(kind: &str, why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self { kind: kind.to_owned(), why: why.into() }
    }
}

/// Converts an object without problems to its type.
///
/// # Errors
/// [`Unfit`] if the type is narrower than the schema and the object does not fit it.
pub(crate) fn settle(object: &Object) -> Result<Sound, Unfit> {
    let mut declared = object.value.clone();
    convert(&mut declared, AddonVersion::V1Beta1);
    let typed = match (object.key.group.as_str(), object.key.kind.as_str()) {
        (key::ADDON_GROUP, "ClusterManagementAddOn") => Typed::Addon(read(&declared)?),
        (key::ADDON_GROUP, "ManagedClusterAddOn") => Typed::Override(read(&declared)?),
        (key::ADDON_GROUP, "AddOnTemplate") => read::<AddOnTemplate>(&declared).map(|_| Typed::Plain)?,
        (key::ADDON_GROUP, "AddOnDeploymentConfig") => {
            let config = read::<AddOnDeploymentConfig>(&declared)?;
            Typed::DeploymentConfig(Arc::new(Arc::unwrap_or_clone(config).spec))
        }
        (key::CLUSTER_GROUP, "Placement") => Typed::Placement(read(&declared)?),
        (key::CLUSTER_GROUP, "ManagedClusterSet") => Typed::ClusterSet(read(&declared)?),
        (key::CLUSTER_GROUP, "ManagedClusterSetBinding") => Typed::Binding(read(&declared)?),
        (key::CLUSTER_GROUP, "ManagedCluster") => Typed::Cluster(read(&declared)?),
        (key::TIDEGATE_GROUP, "RolloutPolicy") => Typed::Policy(read(&declared)?),
        (key::APPLICATION_GROUP, kind) if is_application(object) => {
            let parsed = Parsed::read(&declared).map_err(|why| Unfit::new(kind, why))?;
            Typed::Application(Arc::new(parsed))
        }
        (key::APPLICATION_GROUP, kind) if is_revision(object) => {
            let revision = Revision::read(object).map_err(|why| Unfit::new(kind, why))?;
            Typed::Revision(Arc::new(revision))
        }
        (key::APPLICATION_GROUP, kind) if is_app_deployment(object) => {
            let deployment = AppDeployment::read(&declared).map_err(|why| Unfit::new(kind, why))?;
            Typed::AppDeployment(Arc::new(deployment))
        }
        _ => Typed::Plain,
    };
    Ok(Sound { declared: Arc::new(declared), typed })
}

fn read<T: DeserializeOwned>(declared: &Value) -> Result<Arc<T>, Unfit> {
    let kind = declared.get("kind").and_then(Value::as_str).unwrap_or_default();
    serde_json::from_value(with_defaults(declared)).map(Arc::new).map_err(|why| Unfit::new(kind, why))
}

/// Returns an object with the defaults of its schema, as an API server would. An object without a schema is returned
/// unchanged.
pub fn with_defaults(declared: &Value) -> Value {
    let mut object = declared.clone();
    if let Some(schema) = schema_of(declared) {
        defaulting::fill(&mut object, schema);
    }
    object
}

/// Returns an object without the values that equal the defaults of its schema: the shortest declaration that means the same.
pub(crate) fn without_defaults(object: &Value) -> Value {
    let mut declared = object.clone();
    if let Some(schema) = schema_of(object) {
        defaulting::strip(&mut declared, schema);
    }
    // A default that depends on where it is filled in must stay.
    if with_defaults(&declared) == with_defaults(object) { declared } else { object.clone() }
}

fn schema_of(object: &Value) -> Option<&'static Schema> {
    let kind = object.get("kind").and_then(Value::as_str)?;
    group_version(object).and_then(|(group, version)| kinds::schema(group, kind, version))
}

//! The applications of KubeVela on the hub.

use serde_json::Value;

use tidegate_api::key::UNIT;
use tidegate_model::name::{ApplicationName, NamespacedName, UnitName};

/// The Applications on the hub, which KubeVela delivers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KubeVela {
    /// How many there are; `None` if the hub does not serve the kind.
    pub applications: Option<usize>,
    /// Those that Tidegate delivers as well, as `NAMESPACE/NAME`.
    pub shared: Vec<String>,
}

/// Returns the name of an Application; `None` if Tidegate cannot have one of this name.
pub fn application(object: &Value) -> Option<ApplicationName> {
    let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str);
    let name = NamespacedName::new(text("/metadata/namespace")?, text("/metadata/name")?);
    ApplicationName::try_from(&name).ok()
}

/// Returns `true` if a ManifestWork is one of an application.
pub fn delivers(work: &Value, application: &ApplicationName) -> bool {
    let unit = work.pointer("/metadata/annotations").and_then(|annotations| annotations.get(UNIT)?.as_str());
    unit == Some(UnitName::Application(application.clone()).as_str())
}

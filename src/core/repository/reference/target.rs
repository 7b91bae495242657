//! The references of an add-on to placements and configurations, with their places.

use serde_json::Value;

use crate::application;
use crate::read::object::path;
use tidegate_api::key;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::schema::path::Path;
use tidegate_model::name::NamespacedName;

/// A reference and its path.
#[derive(Debug)]
pub(crate) struct Reference {
    pub(crate) path: Path,
    pub(crate) target: Target,
}

/// The target of a reference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    Placement(NamespacedName),
    Configuration(ConfigReference),
}

/// Returns the references of a ClusterManagementAddOn or ManagedClusterAddOn of either version, or of an Application or
/// AppDeployment, in order.
///
/// References without a name, and those that declare a missing default, are left out.
pub(crate) fn references(object: &Value) -> Vec<Reference> {
    let mut found = Vec::new();
    for list in ["configs", "defaultConfigs"] {
        configurations(object.pointer(&format!("/spec/{list}")), &path(&["spec", list]), &mut found);
    }
    for (index, config) in items(object.pointer("/spec/supportedConfigs")) {
        let at = path(&["spec", "supportedConfigs"]).item(index).member("defaultConfig");
        if let Some(referent) = config.get("defaultConfig") {
            configuration(config, referent, at, &mut found);
        }
    }
    for (index, placement) in items(object.pointer("/spec/installStrategy/placements")) {
        let at = path(&["spec", "installStrategy", "placements"]).item(index);
        if let (Some(namespace), Some(name)) = (text(placement, "namespace"), text(placement, "name")) {
            let target = Target::Placement(NamespacedName::new(namespace, name));
            found.push(Reference { path: at.clone(), target });
        }
        configurations(placement.get("configs"), &at.member("configs"), &mut found);
    }
    let of_application = application::placements(object).into_iter();
    found.extend(of_application.map(|(path, name, _)| Reference { path, target: Target::Placement(name) }));
    found.extend(application::revisions(object).into_iter().map(|(path, name)| {
        let reference = ConfigReference {
            group: key::APPLICATION_GROUP.to_owned(),
            resource: key::APPLICATION_REVISIONS.to_owned(),
            namespace: name.namespace,
            name: name.name,
        };
        Reference { path, target: Target::Configuration(reference) }
    }));
    found
}

fn items(list: Option<&Value>) -> impl Iterator<Item = (usize, &Value)> {
    list.and_then(Value::as_array).into_iter().flatten().enumerate()
}

fn text<'a>(value: &'a Value, member: &str) -> Option<&'a str> {
    value.get(member).and_then(Value::as_str).filter(|text| !text.is_empty())
}

fn configurations(list: Option<&Value>, at: &Path, found: &mut Vec<Reference>) {
    for (index, config) in items(list) {
        configuration(config, config, at.item(index), found);
    }
}

fn configuration(kind: &Value, referent: &Value, at: Path, found: &mut Vec<Reference>) {
    let (Some(resource), Some(name)) = (text(kind, "resource"), text(referent, "name")) else { return };
    if name == key::RESERVED_NO_DEFAULT {
        return;
    }
    let reference = ConfigReference {
        group: text(kind, "group").unwrap_or_default().to_owned(),
        resource: resource.to_owned(),
        namespace: text(referent, "namespace").unwrap_or_default().to_owned(),
        name: name.to_owned(),
    };
    found.push(Reference { path: at, target: Target::Configuration(reference) });
}

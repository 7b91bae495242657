//! The types of components: their properties, and the objects that they render to.

use std::sync::LazyLock;

use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use super::parsed::{COMPONENT_LABEL, Component, NAME_LABEL, NAMESPACE_LABEL, set};
use super::setting::Setting;
use super::sources::chart::{self, HELM};
use super::sources::overlay::{self, KUSTOMIZE};
use super::traits::{Mistake, apply_all};
use super::types::Types;
use super::workload;
use super::{rollout, task};
use crate::definition::Definitions;
use crate::read::builtin::is_namespaced;
use tidegate_api::key;
use tidegate_delivery::is_kept;
use tidegate_model::name::ApplicationName;
use tidegate_model::object::ObjectKey;

/// The type of a component whose objects are given as they are.
pub(crate) const OBJECTS: &str = "k8s-objects";

/// The types with the schemas of their properties.
pub(crate) static COMPONENTS: LazyLock<Types> = LazyLock::new(|| {
    let objects = json!({
        "type": "object",
        "required": ["objects"],
        "properties": {
            "objects": {
                "type": "array",
                "minItems": 1,
                "items": { "type": "object", "x-kubernetes-preserve-unknown-fields": true },
            },
        },
    });
    let types = [
        ("cron-task", task::cron_schema()),
        ("daemon", workload::service()),
        (HELM, chart::schema()),
        (KUSTOMIZE, overlay::schema()),
        (OBJECTS, objects),
        ("statefulset", workload::service()),
        ("task", task::schema()),
        ("webservice", workload::service()),
        ("worker", workload::worker()),
    ];
    Types::new("component", types, &UNSUPPORTED)
});

/// Types of KubeVela that are not supported, with what to do instead.
const UNSUPPORTED: [(&str, &str); 2] = [
    ("helmchart", "write a component of type helm, whose chart `tidegate vendor` renders"),
    ("ref-objects", "write the objects as k8s-objects"),
];

/// The type of the trait that made an object of a component itself, except for its workload.
///
/// # Source
/// KubeVela, `pkg/oam/util`.
const AUXILIARY: &str = "AuxiliaryWorkload";

/// An object of a component.
#[derive(Debug, Clone)]
pub(super) struct Made {
    pub(super) object: Value,
    /// The type of the trait that made it; `None` for the workload.
    pub(super) of_trait: Option<String>,
}

/// The label of the objects of a component with the name of its revision, if it has one.
const REVISION_LABEL: &str = "app.oam.dev/revision";

/// Returns the objects of a component, those of its traits included, and what is wrong with it. The first one is its workload.
fn render(setting: Setting<'_>, component: &Component) -> (Vec<Made>, Vec<Mistake>) {
    let mut objects = match component.type_.as_str() {
        OBJECTS => as_written(&component.properties),
        KUSTOMIZE => match overlay::objects(&component.properties) {
            Ok(objects) => objects,
            Err(why) => return (Vec::new(), vec![Mistake::Component(why.to_string())]),
        },
        HELM => match chart::objects(setting.application, component) {
            Ok(objects) => objects,
            Err(why) => return (Vec::new(), why.into_iter().map(Mistake::Component).collect()),
        },
        type_ if COMPONENTS.schema(type_).is_some() => workload::objects(type_, &component.name, &component.properties),
        _ => match defined(setting, component) {
            Ok(objects) => objects,
            Err(mistake) => return (Vec::new(), mistake.into_iter().collect()),
        },
    };
    let mut makers = vec![AUXILIARY.to_owned(); objects.len().saturating_sub(1)];
    let mut mistakes = apply_all(setting, component, &mut objects, &mut makers);
    let applied = objects.first_mut().map_or(Ok(()), |workload| rollout::apply(setting, component, workload));
    let misfit = |rollout::Misfit { index, at, why }| Mistake::At { index, at, why };
    mistakes.extend(applied.err().map(misfit));
    if component.type_ == "task" {
        objects.first_mut().into_iter().for_each(task::rename);
    }
    objects.iter_mut().for_each(|object| complete(setting, component, object));
    let makers = [None].into_iter().chain(makers.into_iter().map(Some));
    let made = objects.into_iter().zip(makers).map(|(object, of_trait)| Made { object, of_trait });
    (made.collect(), mistakes)
}

/// Returns the objects of a component, those of its traits included. They are in a namespace of the clusters unless they have their own.
pub(super) fn objects(setting: Setting<'_>, component: &Component) -> Vec<Made> {
    if rollout::applies(setting, component) {
        // The controller on the cluster makes the workload.
        let parts = parts(setting, component);
        let objects = |Parts { revision, others, .. }: Parts| [revision].into_iter().chain(others).collect();
        return parts.map(objects).unwrap_or_default();
    }
    render(setting, component).0
}

/// The objects of a component, as steps dispatch them.
pub(super) struct Parts {
    /// The ControllerRevision with its workload.
    pub(super) revision: Made,
    pub(super) revision_name: String,
    /// The other objects; the last one is the Rollout, if there is one.
    pub(super) others: Vec<Made>,
}

/// Returns the objects of a component, as steps dispatch them; `None` if it has a mistake, or no workload.
pub(super) fn parts(setting: Setting<'_>, component: &Component) -> Option<Parts> {
    let (mut objects, mistakes) = render(setting, component);
    if objects.is_empty() || !mistakes.is_empty() {
        return None;
    }
    let workload = objects.remove(0).object;
    let revision_name = rollout::revision_name(component, &workload);
    let mut revision = rollout::revision(setting, component, &workload);
    complete(setting, component, &mut revision);
    let executed = rollout::executed(setting, component, &revision_name);
    objects.extend(executed.map(|mut object| {
        complete(setting, component, &mut object);
        Made { object, of_trait: Some(rollout::ROLLOUT.to_owned()) }
    }));
    Some(Parts { revision: Made { object: revision, of_trait: None }, revision_name, others: objects })
}

/// Returns what is wrong with a component as it is written, and with its traits; nothing if it cannot be read.
pub(crate) fn mistakes(
    (application, namespace): (&ApplicationName, &str),
    component: &Value,
    definitions: &Definitions,
) -> Vec<Mistake> {
    let setting = Setting { application, namespace, definitions };
    let component = Component::deserialize(component);
    component.map(|component| render(setting, &component).1).unwrap_or_default()
}

/// Returns the objects of a component whose type the repository defines.
///
/// # Errors
/// What is wrong with it; nothing if its type is not known, which is found where types are checked, or if it is rendered for each cluster and the
/// cluster is not known.
fn defined(setting: Setting<'_>, component: &Component) -> Result<Vec<Value>, Option<Mistake>> {
    let Setting { application, definitions, .. } = setting;
    let type_ = definitions.component(application.namespace(), &component.type_).and_then(|known| known.type_.as_ref());
    let type_ = type_.filter(|type_| type_.reads.is_empty() || definitions.cluster().is_some());
    let outcome = type_.ok_or(None)?.render(&setting.context(component), &component.properties, &definitions.work);
    let failed = |failure| Mistake::Component(format!("cannot be rendered: {failure}"));
    let mut objects = outcome.as_ref().as_ref().map_err(failed)?.objects.clone();
    // KubeVela: a workload is namespaced, also one of a kind that is not known here.
    if let Some(workload) = objects.first_mut()
        && ObjectKey::of(workload)
            .is_some_and(|key| key.namespace.is_empty() && is_namespaced(&key.group, &key.kind).is_none())
    {
        set(workload, &["metadata", "namespace"], json!(setting.namespace));
    }
    Ok(objects)
}

fn as_written(properties: &Map<String, Value>) -> Vec<Value> {
    properties.get("objects").and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Adds the labels of the application to an object, and its namespace if the object has none and is known to need one.
fn complete(
    Setting { application, namespace: of_objects, .. }: Setting<'_>,
    component: &Component,
    object: &mut Value,
) {
    if let Some(ObjectKey { group, kind, namespace, .. }) = ObjectKey::of(object) {
        if namespace.is_empty() && is_namespaced(&group, &kind) == Some(true) {
            set(object, &["metadata", "namespace"], json!(of_objects));
        }
        if is_kept(&group, &kind) {
            set(object, &["metadata", "annotations", key::DELETION_ORPHAN], json!(""));
        }
    }
    let labels = [
        (NAME_LABEL, application.name()),
        (NAMESPACE_LABEL, application.namespace()),
        (COMPONENT_LABEL, component.name.as_str()),
    ];
    let revision = component.external_revision.as_deref().map(|name| (REVISION_LABEL, name));
    for (label, value) in labels.into_iter().chain(revision) {
        set(object, &["metadata", "labels", label], json!(value));
    }
}

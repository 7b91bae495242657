//! What steps dispatch: the revisions of components, and their other objects.

use crate::application::component::{Made, Parts, parts};
use crate::application::parsed::{Component, Dispatch, Dispatched, Parsed};
use crate::application::rollout;
use crate::application::setting::Setting;
use crate::definition::Definitions;
use crate::read::object::{Object, path};
use crate::settings::Executor;
use tidegate_api::schema::path::Path;
use tidegate_model::name::{ApplicationName, NamespacedName};

/// A component, as steps can dispatch it.
#[derive(Debug)]
pub(crate) struct Dispatchable {
    /// The name of the component.
    pub(crate) component: String,
    /// The name of its revision; `None` if the component has a mistake.
    pub(crate) revision: Option<String>,
    /// The revision that its Rollout is about, if it has one.
    pub(crate) target: Option<String>,
    /// Whether it has objects besides its workload.
    pub(crate) has_others: bool,
}

/// Returns the components of an application, as steps can dispatch them; none if it cannot be read.
pub(crate) fn dispatchable(object: &Object, definitions: &Definitions) -> Vec<Dispatchable> {
    let name = ApplicationName::try_from(&NamespacedName::new(&object.key.namespace, &object.key.name));
    let (Ok(name), Ok(parsed)) = (name, Parsed::read(&object.value)) else { return Vec::new() };
    let setting = Setting { application: &name, namespace: name.namespace(), definitions };
    let of_component = |component: &Component| {
        let parts = parts(setting, component);
        let target =
            parts.as_ref().and_then(|parts| parts.others.last()?.object.pointer("/spec/targetRevisionName")?.as_str());
        Dispatchable {
            component: component.name.clone(),
            target: target.map(str::to_owned),
            has_others: parts.as_ref().is_some_and(|parts| !parts.others.is_empty()),
            revision: parts.map(|parts| parts.revision_name).or_else(|| component.external_revision.clone()),
        }
    };
    parsed.components.iter().map(of_component).collect()
}

/// Returns what may go wrong with the batches of an application, each at its path; nothing if it cannot be read.
pub(crate) fn cautions(object: &Object, executor: Executor) -> Vec<(Path, String)> {
    let Ok(parsed) = Parsed::read(&object.value) else { return Vec::new() };
    let of_component = |(index, component): (usize, &Component)| {
        let at = path(&["spec", "components"]).item(index);
        let found = rollout::cautions(component, executor).into_iter();
        found.map(|(below, why)| (Path(at.0.iter().cloned().chain(below.0).collect()), why)).collect::<Vec<_>>()
    };
    parsed.components.iter().enumerate().flat_map(of_component).collect()
}

/// Returns the objects that steps dispatch to a cluster, in the order of the steps, each with the index of its component.
pub(in crate::application) fn objects(
    setting: Setting<'_>,
    parsed: &Parsed,
    dispatched: &Dispatched,
) -> Vec<(usize, Made)> {
    let all: Vec<Option<Parts>> = parsed.components.iter().map(|component| parts(setting, component)).collect();
    let of_step = |what: &Dispatch| {
        let known = all.iter().enumerate().filter_map(|(index, parts)| Some((index, parts.as_ref()?)));
        let named = |(index, parts): &(usize, &Parts)| match what {
            Dispatch::Revision(name) => parts.revision_name == *name,
            Dispatch::Traits(name) => parsed.components.get(*index).is_some_and(|component| component.name == *name),
        };
        let found = known.filter(named).take(1);
        let objects = found.flat_map(|(index, parts)| match what {
            Dispatch::Revision(_) => vec![(index, parts.revision.clone())],
            Dispatch::Traits(_) => parts.others.iter().map(|object| (index, object.clone())).collect(),
        });
        objects.collect::<Vec<_>>()
    };
    dispatched.what.iter().flat_map(of_step).collect()
}

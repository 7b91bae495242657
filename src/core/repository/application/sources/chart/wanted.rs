//! The charts that the components of applications ask for, as they are written and as overrides change them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::component::{CHART, HELM, NAMESPACE, RELEASE, VALUES, VALUES_FILES, VERSION, rendered_for};
use crate::application::deployment::{Deployment, deployments};
use crate::application::kind::is_application;
use crate::application::parsed::{Component, Parsed};
use crate::application::variant;
use crate::read::object::{Object, path};
use tidegate_api::schema::path::Path;
use tidegate_kustomize::vendor::{Named, NamedChart, Needs, ObjectCharts};
use tidegate_kustomize::yaml::NodeBudget;
use tidegate_model::diagnostic::Diagnostic;
use tidegate_model::name::{ApplicationName, NamespacedName};
use tidegate_model::tree::Tree;

/// A chart that a component asks for.
pub(super) struct Wanted {
    /// The index of the component as it is written.
    pub(super) index: usize,
    /// What identifies everything that the component says about it.
    pub(super) rendered_for: String,
    /// The chart; `None` if a property has a value of another type, which the schema reports.
    pub(super) chart: Option<NamedChart>,
}

/// Returns the charts that the components of an application ask for: those of the components as they are written, and those of the components
/// that some clusters get; `None` if the application cannot be read.
pub(super) fn wanted(object: &Object) -> Option<Vec<Wanted>> {
    let name = ApplicationName::try_from(&NamespacedName::new(&object.key.namespace, &object.key.name)).ok()?;
    let parsed = Parsed::read(&object.value).ok()?;
    if !parsed.components.iter().any(|component| component.type_ == HELM) {
        return Some(Vec::new());
    }
    let deployments = deployments(&parsed);
    let as_written = parsed.components.iter().map(|component| (component.clone(), None));
    let of_deployments = deployments.iter().flat_map(|deployment| {
        let components = variant::of_deployment(&parsed.components, deployment);
        components.into_iter().map(move |component| (component, Some(deployment)))
    });
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for (component, deployment) in as_written.chain(of_deployments).filter(|(component, _)| component.type_ == HELM) {
        let Some(index) = parsed.components.iter().position(|known| known.name == component.written()) else {
            // An override adds it, which is refused where components are checked.
            continue;
        };
        let rendered_for = rendered_for(&name, &component);
        if seen.insert((index, rendered_for.clone())) {
            let at = Places { object, parsed: &parsed, index, deployment };
            found.push(Wanted { index, rendered_for, chart: chart(&name, &component, &at) });
        }
    }
    Some(found)
}

/// Where the properties of a component are written.
struct Places<'a> {
    object: &'a Object,
    parsed: &'a Parsed,
    index: usize,
    deployment: Option<&'a Deployment<'a>>,
}

impl Places<'_> {
    /// Returns the path of a property: in the last override that sets it, or else in the component.
    fn property(&self, component: &Component, member: &str) -> Path {
        let overrides = self.deployment.map(|deployment| deployment.overrides.as_slice()).unwrap_or_default();
        let changes = self.parsed.changes(overrides, component);
        let last = changes.filter(|(change, _)| change.properties.contains_key(member)).last().map(|(_, at)| at);
        let of_component = || path(&["spec", "components"]).item(self.index);
        last.unwrap_or_else(of_component).member("properties").member(member)
    }

    fn named(&self, at: &Path, text: &str) -> Named {
        Named { text: text.to_owned(), origin: self.object.value_origin(at) }
    }
}

/// Returns what a component says about its chart; `None` if a property has a value of another type.
fn chart(application: &ApplicationName, component: &Component, at: &Places<'_>) -> Option<NamedChart> {
    let text = |member: &str| match component.properties.get(member) {
        None => Some(None),
        Some(value) => Some(Some(at.named(&at.property(component, member), value.as_str()?))),
    };
    let values = match component.properties.get(VALUES) {
        None => None,
        Some(values) => Some(values.as_object()?).filter(|values| !values.is_empty()).cloned().map(Value::Object),
    };
    let files = match component.properties.get(VALUES_FILES) {
        None => Vec::new(),
        Some(files) => {
            let place = at.property(component, VALUES_FILES);
            let file = |(index, file): (usize, &Value)| Some(at.named(&place.item(index), file.as_str()?));
            files.as_array()?.iter().enumerate().map(file).collect::<Option<_>>()?
        }
    };
    let own = path(&["spec", "components"]).item(at.index).member("name");
    let release = text(RELEASE)?;
    let chart = text(CHART)??;
    let variant = at.deployment.and_then(|deployment| at.parsed.place_of(deployment, component));
    Some(NamedChart {
        origin: variant.map_or(chart.origin, |variant| at.object.value_origin(&variant)),
        chart,
        version: text(VERSION)?,
        rename: release.is_none().then_some(RELEASE),
        release: release.unwrap_or_else(|| at.named(&own, component.written())),
        namespace: text(NAMESPACE)?.unwrap_or_else(|| at.named(&own, application.namespace())),
        values_files: files,
        values,
    })
}

/// Adds what the charts of applications need.
pub(crate) fn needs(tree: &Tree, objects: &[Object], found: &mut Needs) {
    let budget = NodeBudget::default();
    for object in objects.iter().filter(|object| is_application(object)) {
        let wanted = wanted(object);
        let is_read = wanted.as_ref().is_some_and(|wanted| wanted.iter().all(|wanted| wanted.chart.is_some()));
        let mut problems = Vec::new();
        if !is_read {
            let message =
                "the charts of this application are not known, because it has errors; run `tidegate validate`";
            problems.push(Diagnostic::error(object.place(), message));
        }
        for chart in wanted.into_iter().flatten().filter_map(|wanted| wanted.chart) {
            let mut charts = ObjectCharts::new(tree, &budget);
            match charts.declared(&chart, &object.provenance) {
                Ok(chart) => {
                    let need = charts.need(chart, &object.provenance);
                    found.needs.extend(Some(need).filter(|need| !found.needs.contains(need)));
                }
                Err(error) => problems.push(object.provenance.resolve(error)),
            }
        }
        problems.retain(|problem| !found.problems.contains(problem));
        found.problems.append(&mut problems);
    }
}

//! Adds the objects of vendored charts to the components that name them, when the revision is read. A published revision contains them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use super::component::{MADE, OBJECTS, RENDERED, RENDERED_FOR, made};
use super::wanted::{Wanted, wanted};
use crate::application::kind::is_application;
use crate::complaint::{Complaint, Rule, mark_from};
use crate::read::charts::{Used, items};
use crate::read::file;
use crate::read::notes::Notes;
use crate::read::object::{Object, path};
use tidegate_go::json_length::json_length;
use tidegate_kustomize::vendor::{NamedChart, ObjectCharts};
use tidegate_kustomize::yaml::{NodeBudget, Provenance};
use tidegate_model::diagnostic::Diagnostic;
use tidegate_model::tree::Tree;

/// Most bytes of what charts render to, each rendering of each component counted apart: each has a copy.
const MOST_BYTES: usize = 64 << 20;

/// Adds the objects of charts to the components of applications. A chart that cannot be used is an error of the application.
pub(crate) fn add_charts(
    tree: &Tree,
    objects: &mut [Object],
    complaints: &mut Vec<Complaint>,
    budget: &NodeBudget,
) -> Used {
    let mut loader =
        Loader { charts: ObjectCharts::new(tree, budget), budget, used: BTreeSet::new(), left: MOST_BYTES };
    for object in objects.iter_mut().filter(|object| is_application(object)) {
        let mut found = Vec::new();
        given(object, &mut found);
        let mut renderings: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
        for Wanted { index, rendered_for, chart } in wanted(object).unwrap_or_default() {
            let mut rendering = json!({ RENDERED_FOR: rendered_for });
            if let Some(objects) = chart.and_then(|chart| loader.objects(object, &chart, &mut found)) {
                rendering[OBJECTS] = Value::Array(objects);
            }
            renderings.entry(index).or_default().push(rendering);
        }
        for (index, rendering) in renderings {
            let properties = object.value.pointer_mut(&format!("/spec/components/{index}/properties"));
            let properties = properties.and_then(Value::as_object_mut);
            properties.into_iter().for_each(|all| drop(all.insert(RENDERED.to_owned(), json!(rendering))));
        }
        mark_from(&mut found, 0, Rule::Application);
        complaints.append(&mut found);
    }
    Used { used: loader.used, looked_at: loader.charts.looked_at() }
}

/// Adds a complaint about each property that only a published revision has.
fn given(object: &Object, complaints: &mut Vec<Complaint>) {
    let components = object.value.pointer("/spec/components").and_then(Value::as_array).into_iter().flatten();
    for (index, component) in components.enumerate().filter(|(_, component)| component["type"] == super::HELM) {
        for member in MADE.into_iter().filter(|member| component["properties"].get(member).is_some()) {
            let at = path(&["spec", "components"]).item(index).member("properties").member(member);
            Notes { object, complaints }.error(object.key_origin(&at), made(&at));
        }
    }
}

struct Loader<'t> {
    charts: ObjectCharts<'t>,
    budget: &'t NodeBudget,
    /// The directories of the entries in the lock.
    used: BTreeSet<String>,
    /// The bytes that renderings may still have.
    left: usize,
}

impl Loader<'_> {
    /// Returns the objects of a chart; `None` if there is an error, which becomes a complaint.
    fn objects(
        &mut self,
        object: &mut Object,
        chart: &NamedChart,
        complaints: &mut Vec<Complaint>,
    ) -> Option<Vec<Value>> {
        let mut provenance = Provenance::clone(&object.provenance);
        let found = self.read(chart, &mut provenance);
        object.provenance = Arc::new(provenance);
        let place = chart.origin;
        let found = found.and_then(|objects| {
            let size = objects.iter().map(json_length).fold(0, usize::saturating_add);
            self.left = self.left.checked_sub(size).ok_or_else(|| place.error(excess()))?;
            Ok(objects)
        });
        let failed = |error: Diagnostic<_>| Notes { object, complaints }.error(error.place, error.message);
        found.map_err(failed).ok()
    }

    fn read(
        &mut self,
        chart: &NamedChart,
        provenance: &mut Provenance,
    ) -> Result<Vec<Value>, tidegate_kustomize::yaml::Error> {
        let chart = self.charts.declared(chart, provenance)?;
        let output = self.charts.output(&chart, provenance)?;
        self.used.insert(output.directory);
        // What was rendered with other values is not what the component asks for.
        if let Some(outdated) = output.outdated {
            return Err(chart.origin.error(outdated.message));
        }
        let documents = file::documents(output.source, output.manifests, self.budget)?;
        Ok(documents.into_iter().flat_map(|(node, value)| items(node, value)).map(|(_, value)| value).collect())
    }
}

fn excess() -> String {
    format!(
        "the objects of charts have more than {} MiB together up to here, those of each component counted apart; use fewer of them",
        MOST_BYTES >> 20
    )
}

//! The charts of AddOnTemplates, which name them in annotations.

use super::object::{Named, NamedChart, ObjectChart};
use crate::vendor::files::Files;
use crate::yaml::{Error, Node, Provenance};
use tidegate_model::near::nearest;

/// The annotation that names the chart: `oci://host/path/name`, a URL of a repository with `/` and the name of the chart, or a path that
/// starts with `./` or `../`.
pub const CHART: &str = "tidegate.io/chart";
const VERSION: &str = "tidegate.io/chart-version";
const VALUES: &str = "tidegate.io/chart-values";
const RELEASE: &str = "tidegate.io/chart-release";
const NAMESPACE: &str = "tidegate.io/chart-namespace";
const ALL: [&str; 5] = [CHART, VERSION, VALUES, RELEASE, NAMESPACE];

/// The namespace of a release without one.
///
/// # Source
/// OCM's default for the namespace into which an add-on is installed.
const DEFAULT_NAMESPACE: &str = "open-cluster-management-agent-addon";

/// Returns the chart of an AddOnTemplate, or `None` if it has none. Paths are relative to the files that set the annotations.
pub(crate) fn chart_of_template(
    object: &Node,
    provenance: &Provenance,
    files: &mut Files<'_>,
) -> Result<Option<ObjectChart>, Error> {
    let annotations = Annotations { node: object.find(&["metadata", "annotations"]) };
    annotations.check()?;
    let Some(chart) = annotations.text(CHART) else { return Ok(None) };
    let at_chart = |text: &str| Named { text: text.to_owned(), origin: chart.origin };
    let release = annotations.text(RELEASE);
    let own = object.find(&["metadata", "name"]).and_then(Node::as_str).unwrap_or_default();
    let named = NamedChart {
        version: annotations.text(VERSION),
        rename: release.is_none().then_some(RELEASE),
        release: release.unwrap_or_else(|| at_chart(own)),
        namespace: annotations.text(NAMESPACE).unwrap_or_else(|| at_chart(DEFAULT_NAMESPACE)),
        values_files: annotations.values(),
        values: None,
        origin: chart.origin,
        chart,
    };
    named.declare(provenance, files).map(Some)
}

/// The annotations of an object.
struct Annotations<'a> {
    node: Option<&'a Node>,
}

impl Annotations<'_> {
    /// Returns the value of an annotation, unless it is empty.
    fn text(&self, key: &str) -> Option<Named> {
        let node = self.node?.get(key)?;
        let text = node.as_scalar().map(|scalar| scalar.text().to_owned()).filter(|text| !text.is_empty())?;
        Some(Named { text, origin: node.origin })
    }

    /// Checks that all annotations about charts are known, and that none is about a chart that is not named.
    fn check(&self) -> Result<(), Error> {
        let entries = self.node.and_then(Node::as_mapping).into_iter().flat_map(|mapping| mapping.iter());
        let is_chart = |key: &str| key.starts_with(CHART);
        for entry in entries.filter(|entry| is_chart(&entry.key().text)) {
            let key = &entry.key().text;
            if !ALL.contains(&&**key) {
                let near =
                    nearest(key, ALL).map_or_else(|| "remove it".to_owned(), |near| format!("did you mean {near}?"));
                return Err(entry.key().origin.error(format!("{key} is not an annotation of charts; {near}")));
            }
            if self.text(CHART).is_none() {
                return Err(entry.key().origin.error(format!("{key} has no effect without {CHART}; name the chart")));
            }
        }
        Ok(())
    }

    /// Returns the paths of the values files.
    fn values(&self) -> Vec<Named> {
        let Some(named) = self.text(VALUES) else { return Vec::new() };
        let paths = named.text.split(',').map(str::trim).filter(|path| !path.is_empty());
        paths.map(|path| Named { text: path.to_owned(), origin: named.origin }).collect()
    }
}

//! The charts of AddOnTemplates, which name them in annotations.

use super::declaration::{ChartDeclaration, ChartOptions, ChartSource, LocalChart};
use super::safe;
use super::values::ChartValues;
use crate::vendor::files::Files;
use crate::vendor::path::parent;
use crate::yaml::{Base, Error, Node, Origin, Provenance, Text};
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

/// The chart of an AddOnTemplate.
#[derive(Debug, Clone, PartialEq)]
pub struct TemplateChart {
    /// The chart.
    pub declaration: ChartDeclaration,
    /// The origin of the annotation that names it.
    pub origin: Origin,
}

impl TemplateChart {
    /// Returns the chart of an AddOnTemplate, or `None` if it has none. Paths are relative to the files that set the annotations.
    pub(crate) fn read(object: &Node, provenance: &Provenance, files: &mut Files<'_>) -> Result<Option<Self>, Error> {
        let annotations = Annotations { node: object.find(&["metadata", "annotations"]), provenance };
        annotations.check()?;
        let Some(chart) = annotations.text(CHART) else { return Ok(None) };
        let file = annotations.file(&chart);
        let version = annotations.text(VERSION);
        if let Some(version) = &version {
            safe::argument(&version.text).map_err(|why| version.error(why))?;
        }
        let (name, source) = source(&chart, version.as_ref(), parent(&file), files)?;
        let release = annotations.text(RELEASE);
        let own = object.find(&["metadata", "name"]).and_then(Node::as_str).unwrap_or_default();
        let text = release.as_ref().map_or(own, |release| &release.text);
        safe::release(text).map_err(|why| match &release {
            Some(release) => release.error(why),
            None => chart.error(format!("{why}; set {RELEASE}")),
        })?;
        let namespace = annotations.text(NAMESPACE);
        let in_namespace = namespace.as_ref().map_or(DEFAULT_NAMESPACE, |namespace| &namespace.text);
        safe::namespace(Some(in_namespace)).map_err(|why| namespace.as_ref().unwrap_or(&chart).error(why))?;
        let declaration = ChartDeclaration {
            used_by: file,
            name,
            source,
            release: text.to_owned(),
            namespace: Some(in_namespace.to_owned()),
            options: ChartOptions { include_crds: true, skip_hooks: true, skip_tests: true, ..ChartOptions::default() },
            values: annotations.values(files)?,
        };
        Ok(Some(Self { declaration, origin: chart.origin }))
    }
}

/// Returns the name of a chart, and where it is.
fn source(
    chart: &Text,
    version: Option<&Text>,
    directory: &str,
    files: &mut Files<'_>,
) -> Result<(String, ChartSource), Error> {
    let (before, name) = chart.text.trim_end_matches('/').rsplit_once('/').unwrap_or(("", &chart.text));
    safe::chart_name(name).map_err(|why| chart.error(why))?;
    if chart.text.starts_with("./") || chart.text.starts_with("../") {
        if let Some(version) = version {
            return Err(version.error("a local chart has the version in its Chart.yaml; remove this annotation"));
        }
        let local = files.directory(directory, &chart.text, chart)?;
        let directory = local.filter(|directory| files.exists(&format!("{directory}/Chart.yaml")));
        let message = || format!("there is no chart at {}; add a directory with Chart.yaml", chart.text);
        let directory = directory.ok_or_else(|| chart.error(message()))?;
        return Ok((name.to_owned(), ChartSource::Local(LocalChart { directory })));
    }
    if !chart.text.contains("://") {
        let message = format!(
            "{:?} is neither a URL nor a path; write oci:// or https://, or start the path with ./",
            chart.text
        );
        return Err(chart.error(message));
    }
    let url = safe::repository(before).map_err(|why| chart.error(why))?;
    let version = version.map(|version| version.text.to_string());
    Ok((
        name.to_owned(),
        match url.starts_with("oci://") {
            true => ChartSource::Registry { url, version },
            false => ChartSource::Repository { url, version },
        },
    ))
}

/// The annotations of an object.
struct Annotations<'a> {
    node: Option<&'a Node>,
    provenance: &'a Provenance,
}

impl Annotations<'_> {
    /// Returns the value of an annotation, unless it is empty.
    fn text(&self, key: &str) -> Option<Text> {
        let node = self.node?.get(key)?;
        let text = node.as_scalar().map(|scalar| scalar.shared_text().clone()).filter(|text| !text.is_empty())?;
        Some(Text { text, origin: node.origin, base: Base::default() })
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

    /// Returns the path of the file that set a value.
    fn file(&self, text: &Text) -> String {
        self.provenance.place(text.origin).file
    }

    fn values(&self, files: &mut Files<'_>) -> Result<ChartValues, Error> {
        let mut values = ChartValues::default();
        let Some(named) = self.text(VALUES) else { return Ok(values) };
        let file = self.file(&named);
        for path in named.text.split(',').map(str::trim).filter(|path| !path.is_empty()) {
            let path = Text { text: path.into(), ..named.clone() };
            values.files.push(files.read(parent(&file), &path)?.to_vec());
        }
        Ok(values)
    }
}

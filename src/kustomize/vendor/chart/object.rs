//! The chart that an object names: an AddOnTemplate in annotations, or an Application in a component.

use std::fmt;

use serde_json::Value;

use super::declaration::{ChartDeclaration, ChartOptions, ChartSource, LocalChart};
use super::safe;
use super::values::{ChartValues, written};
use crate::vendor::files::Files;
use crate::vendor::path::parent;
use crate::yaml::{Base, Error, Origin, Provenance, Text};

/// A string of an object, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The string.
    pub text: String,
    /// Where it is.
    pub origin: Origin,
}

/// What an object says about a chart. Paths are relative to the files that name them.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedChart {
    /// `oci://host/path/name`, a URL of a repository with `/` and the name of the chart, or a path that starts with `./` or `../`.
    pub chart: Named,
    /// The requested version, which may be a range.
    pub version: Option<Named>,
    /// The name of the release.
    pub release: Named,
    /// The setting that gives the release another name, if the object does not name it.
    pub rename: Option<&'static str>,
    /// The namespace of the release.
    pub namespace: Named,
    /// The values files, in order.
    pub values_files: Vec<Named>,
    /// The values that apply after all files.
    pub values: Option<Value>,
    /// Where it is reported that the chart is not vendored, or is outdated.
    pub origin: Origin,
}

/// The chart that an object asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectChart {
    /// The chart.
    pub declaration: ChartDeclaration,
    /// Where it is reported that the chart is not vendored, or is outdated.
    pub origin: Origin,
}

impl Named {
    fn as_text(&self) -> Text {
        Text { text: self.text.as_str().into(), origin: self.origin, base: Base::default() }
    }

    pub(super) fn error(&self, message: impl fmt::Display) -> Error {
        self.origin.error(message)
    }
}

impl NamedChart {
    /// Returns the chart that the object asks for.
    pub(crate) fn declare(&self, provenance: &Provenance, files: &mut Files<'_>) -> Result<ObjectChart, Error> {
        let Self { chart, version, release, rename, namespace, .. } = self;
        let file = provenance.place(chart.origin).file;
        if let Some(version) = version {
            safe::argument(&version.text).map_err(|why| version.error(why))?;
        }
        let (name, source) = source(chart, version.as_ref(), parent(&file), files)?;
        safe::release(&release.text).map_err(|why| match rename {
            Some(setting) => release.error(format!("{why}; set {setting}")),
            None => release.error(why),
        })?;
        safe::namespace(Some(&namespace.text)).map_err(|why| namespace.error(why))?;
        let declaration = ChartDeclaration {
            used_by: file,
            name,
            source,
            release: release.text.clone(),
            namespace: Some(namespace.text.clone()),
            options: ChartOptions { include_crds: true, skip_hooks: true, skip_tests: true, ..ChartOptions::default() },
            values: self.values(provenance, files)?,
        };
        Ok(ObjectChart { declaration, origin: self.origin })
    }

    fn values(&self, provenance: &Provenance, files: &mut Files<'_>) -> Result<ChartValues, Error> {
        let mut values = ChartValues::default();
        for path in &self.values_files {
            let file = provenance.place(path.origin).file;
            values.files.push(files.read(parent(&file), &path.as_text())?.to_vec());
        }
        values.files.extend(self.values.as_ref().map(written));
        Ok(values)
    }
}

/// Returns the directory of a chart that an object names by a path, if it exists.
pub(crate) fn local_directory(
    chart: &Named,
    provenance: &Provenance,
    files: &mut Files<'_>,
) -> Result<Option<String>, Error> {
    let file = provenance.place(chart.origin).file;
    if is_path(&chart.text) { local(chart, parent(&file), files) } else { Ok(None) }
}

fn local(chart: &Named, directory: &str, files: &mut Files<'_>) -> Result<Option<String>, Error> {
    let directory = files.directory(directory, &chart.text, &chart.as_text())?;
    Ok(directory.filter(|directory| files.exists(&format!("{directory}/Chart.yaml"))))
}

fn is_path(chart: &str) -> bool {
    chart.starts_with("./") || chart.starts_with("../")
}

/// Returns the name of a chart, and where it is.
fn source(
    chart: &Named,
    version: Option<&Named>,
    directory: &str,
    files: &mut Files<'_>,
) -> Result<(String, ChartSource), Error> {
    let (before, name) = chart.text.trim_end_matches('/').rsplit_once('/').unwrap_or(("", &chart.text));
    safe::chart_name(name).map_err(|why| chart.error(why))?;
    if is_path(&chart.text) {
        if let Some(version) = version {
            return Err(version.error("a local chart has the version in its Chart.yaml; remove this version"));
        }
        let message = || format!("there is no chart at {}; add a directory with Chart.yaml", chart.text);
        let directory = local(chart, directory, files)?.ok_or_else(|| chart.error(message()))?;
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
    let version = version.map(|version| version.text.clone());
    Ok((
        name.to_owned(),
        match url.starts_with("oci://") {
            true => ChartSource::Registry { url, version },
            false => ChartSource::Repository { url, version },
        },
    ))
}

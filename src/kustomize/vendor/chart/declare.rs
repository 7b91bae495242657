//! Turns the charts of a kustomization into what they ask for.

use super::declaration::{ChartDeclaration, ChartOptions, ChartSource, LocalChart};
use super::entries::ChartEntry;
use super::safe;
use super::values::{ChartValues, ValuesMerge};
use crate::vendor::files::Files;
use crate::yaml::{Error, Node, Provenance, Text};

/// The default of `chartHome`.
const HOME: &str = "charts";
/// The name that Helm gives to a release without a name.
const RELEASE: &str = "release-name";

/// Where a chart is declared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Declaring<'a> {
    /// The directory of the kustomization.
    pub(crate) directory: &'a str,
    /// The path of its file.
    pub(crate) file: &'a str,
    /// Its namespace, or that of the nearest overlay that has one.
    pub(crate) namespace: Option<&'a str>,
}

impl ChartEntry {
    /// Returns the chart that the entry asks for.
    ///
    /// # Errors
    /// [`Error`] if a value is missing or malformed, or a values file cannot be read.
    pub(crate) fn declare(
        &self,
        at: Declaring<'_>,
        files: &mut Files<'_>,
        provenance: &mut Provenance,
    ) -> Result<ChartDeclaration, Error> {
        let name = self.name.as_ref().ok_or_else(|| self.origin.error("a chart needs a name; write `name`"))?;
        safe::chart_name(&name.text).map_err(|why| name.error(why))?;
        for text in [&self.version, &self.kube_version].into_iter().flatten().chain(&self.api_versions) {
            safe::argument(&text.text).map_err(|why| text.error(why))?;
        }
        let namespace = self.namespace.as_ref();
        let (own, origin) = (namespace.map(|text| &*text.text), namespace.map_or(self.origin, |text| text.origin));
        let namespace = own.or(at.namespace).map(str::to_owned);
        safe::namespace(namespace.as_deref()).map_err(|why| origin.error(why))?;
        let source = self.source(name, at.directory, files)?;
        let options = ChartOptions {
            name_template: self.name_template.as_ref().map(|text| text.text.to_string()),
            include_crds: self.include_crds,
            skip_hooks: self.skip_hooks,
            skip_tests: self.skip_tests,
            api_versions: self.api_versions.iter().map(|text| text.text.to_string()).collect(),
            kube_version: self.kube_version.as_ref().map(|text| text.text.to_string()),
            devel: self.devel,
        };
        let values = self.values(at.directory, files, provenance)?;
        let (used_by, name, release) = (at.file.to_owned(), name.text.to_string(), self.release()?);
        Ok(ChartDeclaration { used_by, name, source, release, namespace, options, values })
    }

    fn release(&self) -> Result<String, Error> {
        match (&self.release, &self.name_template) {
            (Some(_), Some(template)) => {
                Err(template.error("a release has either a releaseName or a nameTemplate; remove one of them"))
            }
            (Some(release), None) => {
                safe::release(&release.text).map_err(|why| release.error(why))?;
                Ok(release.text.to_string())
            }
            (None, Some(template)) => {
                safe::name_template(&template.text).map_err(|why| template.error(why))?;
                Ok(template.text.to_string())
            }
            (None, None) => Ok(RELEASE.to_owned()),
        }
    }

    /// Returns where the chart is. As in kustomize, a chart below the chart home is used even if the entry names a repository.
    fn source(&self, name: &Text, directory: &str, files: &mut Files<'_>) -> Result<ChartSource, Error> {
        let home = self.home.as_ref().map_or(HOME, |home| &home.text);
        let version = self.version.as_ref().map(|version| version.text.to_string());
        let local = match (&version, &self.repo) {
            (Some(version), Some(_)) => format!("{home}/{name}-{version}/{name}", name = name.text),
            _ => format!("{home}/{}", name.text),
        };
        let at = self.home.as_ref().unwrap_or(name);
        if let Some(directory) = files.directory(directory, &local, at)? {
            return Ok(ChartSource::Local(LocalChart { directory }));
        }
        let Some(repo) = &self.repo else {
            let message = format!("there is no chart at {local}; add it, or write the `repo` of the chart");
            return Err(name.error(message));
        };
        let url = safe::repository(&repo.text).map_err(|why| repo.error(why))?;
        match url.starts_with("oci://") {
            true => Ok(ChartSource::Registry { url, version }),
            false => Ok(ChartSource::Repository { url, version }),
        }
    }

    fn values(
        &self,
        directory: &str,
        files: &mut Files<'_>,
        provenance: &mut Provenance,
    ) -> Result<ChartValues, Error> {
        let mut read = |path: &Text| Ok(files.load(directory, path, provenance)?.bytes.to_vec());
        let file = self.values_file.as_ref().map(&mut read).transpose()?;
        let more = self.more_files.iter().map(read).collect::<Result<_, _>>()?;
        let merge = self.merge.as_ref().map(|text| {
            let merge = ValuesMerge::from_name(&text.text);
            merge.ok_or_else(|| text.error(format!("valuesMerge is {:?}; write merge, override or replace", text.text)))
        });
        let inline = self.inline.as_ref().map(Node::to_value).transpose()?;
        Ok(ChartValues { file, files: more, inline, merge: merge.transpose()?.unwrap_or_default() })
    }
}

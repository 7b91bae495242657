//! Finds the vendored output of charts.

use super::MANIFESTS;
use super::chart::{ChartDeclaration, ChartSource};
use super::digest::hash;
use super::files::{File, Files};
use super::lock::{Entry, Lock, What};
use super::need::State;
use super::resolve::VENDOR;
use crate::yaml::{Error, Origin, Provenance};

/// A vendored chart.
#[derive(Debug)]
pub(crate) struct ChartOutput<'t> {
    /// The output of `helm template`.
    pub(crate) file: File<'t>,
    /// The directory of the entry.
    pub(super) directory: String,
    /// What changed after the chart was rendered.
    pub(crate) outdated: Option<Stale>,
}

/// Why the output of a chart is not as declared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Stale {
    #[error("the chart {chart} is not vendored; {VENDOR}")]
    Missing { chart: String },
    #[error("the chart {chart} in {directory} has another repository or version; {VENDOR}")]
    Source { chart: String, directory: String },
    #[error("the values or options of the chart {chart} changed after it was rendered; {VENDOR}")]
    Options { chart: String },
    #[error("the chart {directory} changed after it was rendered; {VENDOR}")]
    Files { directory: String },
}

impl<'t> Files<'t> {
    /// Returns the output of a chart.
    ///
    /// # Errors
    /// [`Error`] if the chart is not vendored, or its output was changed.
    pub(crate) fn chart(
        &mut self,
        declaration: &ChartDeclaration,
        at: Origin,
        provenance: &mut Provenance,
    ) -> Result<ChartOutput<'t>, Error> {
        let lock = self.lock().map_err(|why| at.error(why))?;
        let (entry, outdated) = entry_of_chart(lock, declaration).map_err(|why| at.error(why))?;
        let entry = entry.clone();
        self.check(&entry, at)?;
        let outdated = outdated.or_else(|| self.changed_files(declaration, &entry));
        let file = self.vendored_at(&entry, MANIFESTS, at, provenance)?;
        Ok(ChartOutput { file, directory: entry.directory, outdated })
    }

    /// Returns the state of a chart.
    pub(super) fn chart_state(&mut self, declaration: &ChartDeclaration, at: Origin) -> State {
        let entry = self.lock().ok().and_then(|lock| entry_of_chart(lock, declaration).ok());
        let Some(directory) = entry.map(|(entry, _)| entry.directory.clone()) else { return State::Missing };
        match self.chart(declaration, at, &mut Provenance::default()) {
            Ok(ChartOutput { outdated: None, .. }) => State::Current { directory },
            Ok(ChartOutput { outdated: Some(why), .. }) => State::Outdated { directory, why: why.to_string() },
            Err(error) => State::Outdated { directory, why: error.message },
        }
    }

    /// Returns [`Stale::Files`] if a local chart is not the one that was rendered.
    fn changed_files(&mut self, declaration: &ChartDeclaration, entry: &Entry) -> Option<Stale> {
        let (ChartSource::Local(local), What::Chart(chart)) = (&declaration.source, &entry.what) else { return None };
        self.looked_at.insert(format!("{}/", local.directory));
        let is_same = hash(self.tree, &local.directory).is_ok_and(|hash| hash == chart.digest);
        (!is_same).then(|| Stale::Files { directory: local.directory.clone() })
    }
}

/// Returns the entry of a chart, and what changed after it was rendered.
///
/// # Errors
/// Why no entry can be used.
fn entry_of_chart<'l>(lock: &'l Lock, declaration: &ChartDeclaration) -> Result<(&'l Entry, Option<Stale>), Stale> {
    let name = &declaration.name;
    let charts = || {
        lock.entries.iter().filter_map(|entry| match &entry.what {
            What::Chart(chart) => Some((entry, chart)),
            _ => None,
        })
    };
    let values = declaration.values_digest();
    let mut same = charts().filter(|(_, chart)| declaration.is(chart));
    if let Some((entry, _)) = same.clone().find(|(_, chart)| chart.values == values) {
        return Ok((entry, None));
    }
    let outdated = || Stale::Options { chart: name.clone() };
    match (same.next(), same.next()) {
        (Some((entry, _)), None) => Ok((entry, Some(outdated()))),
        // It is not known which of them the declaration was.
        (Some(_), Some(_)) => Err(outdated()),
        (None, _) => Err(match charts().find(|(_, chart)| chart.name == *name && declaration.is_like(chart)) {
            Some((entry, _)) => Stale::Source { chart: name.clone(), directory: entry.directory.clone() },
            None => Stale::Missing { chart: name.clone() },
        }),
    }
}

//! The vendored charts of AddOnTemplates and Applications.

use std::collections::BTreeSet;

use super::chart::{Named, NamedChart, ObjectChart, chart_of_template, local_directory};
use super::files::Files;
use super::need::{Need, Wanted};
use crate::yaml::{Error, Node, NodeBudget, Origin, Provenance, SourceId};
use tidegate_model::diagnostic::Diagnostic;
use tidegate_model::tree::Tree;

/// Finds the charts of AddOnTemplates and Applications, and their output.
pub struct ObjectCharts<'t>(Files<'t>);

/// The output of the chart of an object.
#[derive(Debug)]
pub struct ObjectOutput<'t> {
    /// The directory of the entry in the lock.
    pub directory: String,
    /// The source of the file with the manifests, in the provenance.
    pub source: SourceId,
    /// The manifests, as YAML documents.
    pub manifests: &'t [u8],
    /// A warning, if the values or the chart changed after it was rendered.
    pub outdated: Option<Diagnostic<Origin>>,
}

impl<'t> ObjectCharts<'t> {
    /// Creates a finder for the files of a tree.
    pub fn new(tree: &'t Tree, budget: &'t NodeBudget) -> Self {
        Self(Files::new(tree, budget))
    }

    /// Returns the chart of an AddOnTemplate, or `None` if it has none. Paths are relative to the files that set the annotations.
    ///
    /// # Errors
    /// [`Error`] if an annotation is malformed, or names a file that cannot be read.
    pub fn of_template(&mut self, object: &Node, provenance: &Provenance) -> Result<Option<ObjectChart>, Error> {
        chart_of_template(object, provenance, &mut self.0)
    }

    /// Returns the chart that an object asks for.
    ///
    /// # Errors
    /// [`Error`] if a value is malformed, or names a file that cannot be read.
    pub fn declared(&mut self, chart: &NamedChart, provenance: &Provenance) -> Result<ObjectChart, Error> {
        chart.declare(provenance, &mut self.0)
    }

    /// Returns the directory of a chart in this repository, or `None` if it is elsewhere, or does not exist.
    pub fn local(&mut self, chart: &Named, provenance: &Provenance) -> Option<String> {
        local_directory(chart, provenance, &mut self.0).ok().flatten()
    }

    /// Returns the output of a chart, and adds its file to the sources of the object.
    ///
    /// # Errors
    /// [`Error`] if the chart is not vendored, or its output was changed.
    pub fn output(&mut self, chart: &ObjectChart, provenance: &mut Provenance) -> Result<ObjectOutput<'t>, Error> {
        let output = self.0.chart(&chart.declaration, chart.origin, provenance)?;
        // Each object has sources of its own.
        let source = provenance.add_source(output.file.path.as_str());
        let outdated = output.outdated.map(|why| chart.origin.warning(why));
        Ok(ObjectOutput { directory: output.directory, source, manifests: output.file.bytes, outdated })
    }

    /// Returns the files and directories that were looked for; the charts depend on nothing else.
    pub fn looked_at(self) -> BTreeSet<String> {
        self.0.looked_at
    }

    /// Returns the need for a chart.
    pub fn need(&mut self, chart: ObjectChart, provenance: &Provenance) -> Need {
        let state = self.0.chart_state(&chart.declaration, chart.origin);
        let place = provenance.place(chart.origin);
        Need { place, wanted: Wanted::Chart(Box::new(chart.declaration)), state }
    }
}

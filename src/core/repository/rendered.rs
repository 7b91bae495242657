//! The objects of a rendered overlay. Each value keeps the file, line and column that it comes from.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::complaint::{Complaint, Place, Rule, Severity};
use super::node::{Mark, Node, node};
use super::object::{Object, Sorter};
use tidegate_kustomize::overlay::{self, Options, Rendered};
use tidegate_kustomize::yaml::{self, Origin, Provenance};
use tidegate_model::tree::Tree;

/// Renders an overlay and returns its objects.
///
/// The first result is the rendered overlay, or `None` if it could not be rendered, in which case there are no objects.
pub(super) fn objects(
    tree: &Tree,
    directory: &str,
    options: &Options,
    complaints: &mut Vec<Complaint>,
) -> (Option<Rendered>, Vec<Object>) {
    let rendered = overlay::render_with(tree, directory, options);
    complaints.extend(rendered.complaints.iter().map(complaint));
    if rendered.is_failed() {
        return (None, Vec::new());
    }
    let mut files = Files::default();
    let mut nodes: Vec<Node> = Vec::new();
    for object in &rendered.objects {
        let start = files.mark(&object.place.file, object.place.line, object.place.column);
        match node(&object.node, yaml::Schema::Resource, start, &mut |origin, around| {
            files.of(origin, &rendered.provenance, around)
        }) {
            Ok(node) => nodes.push(node),
            Err(yaml::Fault { origin, message }) => {
                let place = rendered.provenance.place(origin);
                complaints.push(complaint(&overlay::Complaint { place, severity: overlay::Severity::Error, message }));
            }
        }
    }
    let files: Arc<[Arc<str>]> = files.names.into();
    let mut objects = Vec::new();
    for node in nodes {
        let own = node.mark.file_in(&files, "");
        let file: Arc<str> = Arc::from(own);
        let mut sorter = Sorter { file, files: files.clone(), is_rendered: true, objects: &mut objects, complaints };
        sorter.document(node);
    }
    (Some(rendered), objects)
}

fn complaint(of_overlay: &overlay::Complaint) -> Complaint {
    let yaml::Place { file, line, column } = &of_overlay.place;
    let severity = match of_overlay.severity {
        overlay::Severity::Error => Severity::Error,
        overlay::Severity::Warning => Severity::Warning,
    };
    let place = Place { file: file.to_string(), line: (*line).max(1), column: (*column).max(1) };
    let complaint = Complaint::of_file("", Mark::START, of_overlay.message.clone());
    Complaint { place, severity, rule: Rule::Overlay, ..complaint }
}

/// The files that values come from. Marks refer to them by number, from 1.
#[derive(Default)]
struct Files {
    names: Vec<Arc<str>>,
    numbers: BTreeMap<Arc<str>, u32>,
}

impl Files {
    fn mark(&mut self, file: &Arc<str>, line: u32, column: u32) -> Mark {
        let number = *self.numbers.entry(file.clone()).or_insert_with(|| {
            self.names.push(file.clone());
            u32::try_from(self.names.len()).unwrap_or(u32::MAX)
        });
        Mark { line: line.max(1), column: column.max(1), file: number }
    }

    /// Returns the mark that a value comes from, or `around` if its origin is unknown.
    fn of(&mut self, origin: Origin, provenance: &Provenance, around: Mark) -> Mark {
        if origin.line == 0 {
            return around;
        }
        let place = provenance.place(origin);
        self.mark(&place.file, place.line, place.column)
    }
}

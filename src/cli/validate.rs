//! `tidegate validate`: what is wrong with a directory of declarations, and what would be right.

use std::sync::Arc;

use miette::{GraphicalReportHandler, LabeledSpan, MietteDiagnostic, NamedSource, Report, Severity, SourceOffset};
use serde_json::json;

use super::args::ValidateArgs;
use super::directory;
use super::failure::Failure;
use super::status::printed;
use crate::model::tree::Tree;
use crate::repository::{self, Complaint};

/// Prints every complaint. Errors among them are findings; warnings are not.
pub fn run(args: &ValidateArgs) -> Result<(), Failure> {
    let tree = directory::tree(&args.path)?;
    let loaded = repository::load(&tree, "");
    let errors = loaded.complaints.iter().filter(|complaint| complaint.is_error()).count();
    match args.output {
        Some(output) => {
            let document = json!({ "complaints": loaded.complaints });
            anstream::println!("{}", printed(output, &document)?);
        }
        None => {
            for complaint in &loaded.complaints {
                anstream::println!("{}", pictured(complaint, &tree));
            }
            let objects = loaded.repository.objects.len();
            let addons = loaded.repository.addons.len();
            match (errors, loaded.complaints.len() - errors) {
                (0, 0) => anstream::println!("{objects} objects, {addons} add-ons: nothing to complain about"),
                (errors, warnings) => {
                    anstream::println!("{objects} objects, {addons} add-ons: {errors} errors, {warnings} warnings")
                }
            }
        }
    }
    if errors > 0 { Err(Failure::Findings) } else { Ok(()) }
}

/// The complaint on one line that a program or an editor can read, and below it the place in the file.
fn pictured(complaint: &Complaint, tree: &Tree) -> String {
    let place = &complaint.place;
    let severity = if complaint.is_error() { Severity::Error } else { Severity::Warning };
    let line = complaint.to_string();
    let Some(text) = tree.files.get(&place.file).and_then(|bytes| std::str::from_utf8(bytes).ok()) else { return line };
    if place.line == 0 {
        return line;
    }
    let offset = SourceOffset::from_location(text, place.line, place.column);
    let diagnostic = MietteDiagnostic::new(complaint.message.clone())
        .with_severity(severity)
        .with_label(LabeledSpan::at_offset(offset.offset(), "here"));
    let report = Report::new(diagnostic).with_source_code(NamedSource::new(&place.file, Arc::new(text.to_owned())));
    let mut picture = String::new();
    // A picture that cannot be drawn costs nothing but the picture.
    let _ = GraphicalReportHandler::new().with_context_lines(1).render_report(&mut picture, report.as_ref());
    format!("{line}\n{picture}")
}

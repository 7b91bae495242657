//! The command: load, tell, and end with findings if there are errors.

use std::path::Path;

use serde_json::json;

use super::finding::Findings;
use super::{github, gitlab, picture, sarif};
use crate::cli::args::{Output, ReportFormat, ValidateArgs};
use crate::cli::directory;
use crate::cli::failure::Failure;
use crate::cli::say::{say, say_line};
use crate::cli::status::printed;
use crate::model::tree::Tree;
use crate::repository::{self, Complaint, Loaded};

/// Prints every complaint. Errors among them are findings; warnings are not.
pub fn run(args: &ValidateArgs) -> Result<(), Failure> {
    let tree = directory::tree(&args.path)?;
    let loaded = repository::load(&tree, "");
    match args.output {
        None => for_people(&loaded, &tree)?,
        Some(format) => say(&report(format, &args.path, &tree, &loaded.complaints)?)?,
    }
    if loaded.complaints.iter().any(Complaint::is_error) { Err(Failure::Findings) } else { Ok(()) }
}

/// Returns the complaints in a format for programs.
fn report(format: ReportFormat, root: &Path, tree: &Tree, complaints: &[Complaint]) -> Result<String, Failure> {
    let findings = Findings::new(root, tree, complaints);
    let document = match format {
        ReportFormat::Github => return Ok(github::report(&findings)),
        ReportFormat::Json | ReportFormat::Yaml => json!({ "complaints": complaints }),
        ReportFormat::Sarif => sarif::report(&findings),
        ReportFormat::Gitlab => gitlab::report(&findings),
    };
    let output = if format == ReportFormat::Yaml { Output::Yaml } else { Output::Json };
    Ok(format!("{}\n", printed(output, &document)?))
}

fn for_people(loaded: &Loaded, tree: &Tree) -> Result<(), Failure> {
    for complaint in &loaded.complaints {
        say_line(&picture::pictured(complaint, tree))?;
    }
    let errors = loaded.complaints.iter().filter(|complaint| complaint.is_error()).count();
    let objects = loaded.repository.objects.len();
    let addons = loaded.repository.addons.len();
    let summary = match (errors, loaded.complaints.len() - errors) {
        (0, 0) => "nothing to complain about".to_owned(),
        (errors, warnings) => {
            return say_line(&format!("{objects} objects, {addons} add-ons; errors: {errors}, warnings: {warnings}"));
        }
    };
    say_line(&format!("{objects} objects, {addons} add-ons: {summary}"))
}

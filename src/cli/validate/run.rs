//! The command: load, tell, and end with findings if there are errors.

use std::path::Path;

use serde_json::json;

use super::finding::Findings;
use super::lines::Lines;
use super::{github, gitlab, picture, sarif};
use crate::cli::args::{Output, ReportFormat, ValidateArgs};
use crate::cli::directory;
use crate::cli::failure::Failure;
use crate::cli::say::{say, say_line};
use crate::cli::status::printed;
use crate::model::tree::Tree;
use crate::overlay;
use crate::repository::{self, Complaint, Loaded, SETTINGS_FILE};

/// Prints every complaint. Errors among them are findings; warnings are not.
pub fn run(args: &ValidateArgs) -> Result<(), Failure> {
    let tree = directory::tree(&args.path)?;
    let loaded: Vec<(String, Loaded)> = directories(&tree)
        .into_iter()
        .map(|directory| (directory.clone(), repository::load(&tree, &directory)))
        .collect();
    // What several overlays share is told once.
    let mut complaints: Vec<Complaint> = loaded.iter().flat_map(|(_, loaded)| loaded.complaints.clone()).collect();
    complaints.sort();
    complaints.dedup_by(|one, other| one.place == other.place && one.message == other.message);
    match args.output {
        None => for_people(&loaded, &complaints, &tree)?,
        Some(format) => say(&report(format, &args.path, &tree, &complaints)?)?,
    }
    if complaints.iter().any(Complaint::is_error) { Err(Failure::Findings) } else { Ok(()) }
}

/// Returns the directories that a daemon may be told to follow: the path of the settings, and every overlay that no other builds on.
/// Where there are only overlays and no settings, the root is none of them.
fn directories(tree: &Tree) -> Vec<String> {
    let mut directories = overlay::overlays(tree);
    let path = repository::settings(tree).path;
    let has_settings = tree.files.contains_key(SETTINGS_FILE) || tree.skipped.contains_key(SETTINGS_FILE);
    if directories.is_empty() || has_settings {
        directories.retain(|directory| *directory != path);
        // The empty path means that of the settings, with the place of a complaint about it.
        directories.insert(0, String::new());
    }
    directories
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

fn for_people(loaded: &[(String, Loaded)], complaints: &[Complaint], tree: &Tree) -> Result<(), Failure> {
    let mut lines = Lines::new(tree);
    complaints.iter().try_for_each(|complaint| say_line(&picture::pictured(complaint, &mut lines)))?;
    for (directory, Loaded { repository, complaints }) in loaded {
        let errors = complaints.iter().filter(|complaint| complaint.is_error()).count();
        let what = match (errors, complaints.len() - errors) {
            (0, 0) => ": nothing to complain about".to_owned(),
            (errors, warnings) => format!("; errors: {errors}, warnings: {warnings}"),
        };
        let place = match (directory.as_str(), loaded.len()) {
            (_, 1) => String::new(),
            ("", _) => format!("{}: ", repository.settings.path),
            (directory, _) => format!("{directory}: "),
        };
        let (objects, addons) = (repository.objects.len(), repository.addons.len());
        say_line(&format!("{place}{objects} objects, {addons} add-ons{what}"))?;
    }
    Ok(())
}

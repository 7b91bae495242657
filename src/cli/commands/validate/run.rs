//! The command: loads, prints complaints, and fails if there are errors.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::agent_permissions::{self, Needy};
use super::finding::Findings;
use super::hub_permissions::Needed;
use super::lines::Lines;
use super::{github, gitlab, hub_permissions, sarif, snippet};
use crate::cli::args::{Output, ReportFormat, ValidateArgs};
use crate::cli::config::File;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use crate::cli::repository::directory;
use crate::cli::repository::discovery::{Around, around_plain, around_several};
use tidegate_kustomize::overlay;
use tidegate_model::diagnostic::Place;
use tidegate_model::plural::counted;
use tidegate_model::tree::Tree;
use tidegate_repository::{Complaint, Loaded, Rule, SETTINGS_FILE, Settings};
use tidegate_review::policy;

/// Prints every complaint. Errors among them are findings; warnings are not.
pub(crate) fn run(process: &Process, args: &ValidateArgs) -> Result<(), Failure> {
    let Scope { root, tree, directories } = scope(&args.path)?;
    let operator = File::read(args.operator.config.as_deref())?.operator();
    let load = |directory: String| {
        let mut loaded = tidegate_repository::load_with(&tree, &directory, &operator);
        let broken = policy::complaints(&policy::records(&policy::standing(&loaded)), &[&loaded.repository]);
        loaded.complaints.extend(broken);
        (directory, loaded)
    };
    let mut loaded: Vec<(String, Loaded)> = directories.into_iter().map(load).collect();
    leave_components_out(&mut loaded);
    keep_common(&mut loaded);
    // Complaints about files that several overlays share are printed once.
    let mut complaints: Vec<Complaint> = loaded.iter().flat_map(|(_, loaded)| loaded.complaints.clone()).collect();
    complaints.sort();
    complaints.dedup_by(|one, other| {
        one.diagnostic.place == other.diagnostic.place && one.diagnostic.message == other.diagnostic.message
    });
    let permissions = hub_permissions::needed(&loaded);
    let needy = agent_permissions::needy(&loaded);
    match args.output {
        None => {
            for_people(process, &loaded, &complaints, &tree)?;
            process.say(&hub_permissions::section(&permissions)?)?;
            process.say(&agent_permissions::section(&needy))?;
        }
        Some(format) => process.say(&report(format, &root, &tree, &complaints, (&permissions, &needy))?)?,
    }
    let counts = |complaint: &Complaint| args.is_strict || complaint.is_error();
    if complaints.iter().any(counts) { Err(Failure::Findings) } else { Ok(()) }
}

/// Removes the overlays that components of applications name: a daemon does not follow them, and their objects are for clusters.
fn leave_components_out(loaded: &mut Vec<(String, Loaded)>) {
    let read: BTreeSet<String> = loaded.iter().flat_map(|(_, loaded)| loaded.repository.overlays.clone()).collect();
    let is_of_component = |directory: &str| {
        let below = format!("{directory}/");
        read.range(below.clone()..).next().is_some_and(|file| file.starts_with(&below))
    };
    loaded.retain(|(directory, _)| directory.is_empty() || !is_of_component(directory));
}

/// Removes complaints about control files, except from the first directory, where those remain that all directories have. All share these
/// files, and a decision about an add-on concerns only those that declare it.
fn keep_common(loaded: &mut [(String, Loaded)]) {
    let places = |loaded: &Loaded| -> BTreeSet<Place> {
        let of_control = loaded.complaints.iter().filter(|complaint| complaint.rule == Rule::Control);
        of_control.map(|complaint| complaint.diagnostic.place.clone()).collect()
    };
    let all: Vec<BTreeSet<Place>> = loaded.iter().map(|(_, loaded)| places(loaded)).collect();
    for (number, (_, loaded)) in loaded.iter_mut().enumerate() {
        loaded.complaints.retain(|complaint| {
            let is_common = || all.iter().all(|places| places.contains(&complaint.diagnostic.place));
            complaint.rule != Rule::Control || (number == 0 && is_common())
        });
    }
}

/// The files and directories to validate.
struct Scope {
    /// The root of the repository on this machine.
    root: PathBuf,
    tree: Tree,
    /// The directories of the repository to load, in order. An empty path means the path in the settings, so that a
    /// complaint about that path has its place there.
    directories: Vec<String>,
}

/// Resolves a path: to the root of a repository, to overlays in the repository around it, whose bases may be in sibling
/// directories, or to a directory of plain objects in the repository around it, whose root has the settings.
fn scope(path: &Path) -> Result<Scope, Failure> {
    let tree = directory::tree(path)?;
    let overlays = overlay::overlays(&tree);
    if overlays.is_empty()
        && let Some(Around { root, directory }) = around_plain(path)
    {
        let tree = directory::tree(&root)?;
        let is_other = tidegate_repository::settings(&tree).is_ok_and(|settings| settings.path != directory);
        let directories = vec![if is_other { directory } else { String::new() }];
        return Ok(Scope { root, tree, directories });
    }
    let Some(Around { root, directory }) = around_several(path, &overlays) else {
        let directories = directories(&tree, overlays);
        return Ok(Scope { root: path.to_owned(), tree, directories });
    };
    let tree = directory::tree(&root)?;
    let full = |overlay: String| if overlay == "." { directory.clone() } else { format!("{directory}/{overlay}") };
    let directories = match tidegate_repository::settings(&tree) {
        Ok(_) => overlays.into_iter().map(full).collect(),
        Err(_) => vec![String::new()],
    };
    Ok(Scope { root, tree, directories })
}

/// Returns the directories that a daemon could follow: the path in the settings, and every overlay on which no other
/// overlay builds. If there are overlays but no settings, returns only the overlays. If the settings are wrong, nothing but
/// the settings is checked.
fn directories(tree: &Tree, mut directories: Vec<String>) -> Vec<String> {
    let Ok(Settings { path, .. }) = tidegate_repository::settings(tree) else { return vec![String::new()] };
    let has_settings = tree.files.contains_key(SETTINGS_FILE) || tree.skipped.contains_key(SETTINGS_FILE);
    if directories.is_empty() || has_settings {
        directories.retain(|directory| *directory != path);
        directories.insert(0, String::new());
    }
    directories
}

/// Returns the complaints in a format for programs, and the permissions of agents if the format has a place for them.
fn report(
    format: ReportFormat,
    root: &Path,
    tree: &Tree,
    complaints: &[Complaint],
    (permissions, needy): (&[Needed<'_>], &[Needy]),
) -> Result<String, Failure> {
    let findings = Findings::new(root, tree, complaints);
    let document = match format {
        ReportFormat::Github => {
            let notices = [hub_permissions::notices(root, permissions), agent_permissions::notices(root, needy)];
            return Ok(format!("{}{}", github::report(&findings), notices.concat()));
        }
        ReportFormat::Json | ReportFormat::Yaml => {
            let mut document =
                json!({ "complaints": complaints, "hubPermissions": hub_permissions::data(permissions) });
            if !needy.is_empty() {
                document["agentPermissions"] = agent_permissions::data(needy);
            }
            document
        }
        ReportFormat::Sarif => sarif::report(&findings),
        ReportFormat::Gitlab => gitlab::report(&findings),
    };
    let output = if format == ReportFormat::Yaml { Output::Yaml } else { Output::Json };
    Ok(format!("{}\n", printed(output, &document)?))
}

fn for_people(
    process: &Process,
    loaded: &[(String, Loaded)],
    complaints: &[Complaint],
    tree: &Tree,
) -> Result<(), Failure> {
    let mut lines = Lines::new(tree);
    complaints
        .iter()
        .try_for_each(|complaint| process.say_line(&snippet::snippet_of(&complaint.diagnostic, &mut lines)))?;
    for (directory, Loaded { repository, complaints, .. }) in loaded {
        let errors = complaints.iter().filter(|complaint| complaint.is_error()).count();
        let what = match (errors, complaints.len() - errors) {
            (0, 0) => ": no problems found".to_owned(),
            (errors, warnings) => format!("; errors: {errors}, warnings: {warnings}"),
        };
        let place = match (directory.as_str(), loaded.len()) {
            (_, 1) => String::new(),
            ("", _) => format!("{}: ", repository.settings.path),
            (directory, _) => format!("{directory}: "),
        };
        let objects = counted(repository.objects.len(), "object");
        let count = |is_addon: bool| repository.addons.keys().filter(|name| name.addon().is_some() == is_addon).count();
        let addons = counted(count(true), "add-on");
        let applications = match count(false) {
            0 => String::new(),
            count => format!(", {}", counted(count, "application")),
        };
        let candidates = match repository.candidates.len() {
            0 => String::new(),
            count => format!(", {}", counted(count, "candidate")),
        };
        process.say_line(&format!("{place}{objects}, {addons}{applications}{candidates}{what}"))?;
    }
    Ok(())
}

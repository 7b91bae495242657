//! `tidegate fmt`: the YAML files of a repository in house format.

use std::fs;
use std::path::Path;

use crate::cli::args::FmtArgs;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::cli::repository::directory;
use tidegate_kustomize::fix::vars_to_replacements;
use tidegate_kustomize::format::format;
use tidegate_kustomize::overlay::is_kustomization;
use tidegate_kustomize::vendor::Lock;
use tidegate_model::tree::Tree;
use tidegate_repository::SETTINGS_FILE;

/// Directories whose files are not formatted: copies of remote files, and decisions, which belong to who signed them.
const LEFT_ALONE: [&str; 3] = ["vendor/", "approvals/", "control/"];

/// Formats the files, or lists those that are not in house format.
pub(crate) fn run(process: &Process, args: &FmtArgs) -> Result<(), Failure> {
    let mut tree = directory::tree(&args.dir)?;
    if !tree.files.contains_key(SETTINGS_FILE) {
        let hint = "name the root of a config repository, or make one with `tidegate init`";
        return Err(Failure::Usage(format!("{} has no {SETTINGS_FILE}; {hint}", args.dir.display())));
    }
    let (mut changed, mut has_complaints) = (0, false);
    for file in files(&tree) {
        let (text, has_replacements) = match formatted(&tree, &file) {
            Formatted::Same { note } => {
                note.iter().for_each(|note| process.warn_line(note));
                continue;
            }
            Formatted::Changed { text, note, has_replacements } => {
                note.iter().for_each(|note| process.warn_line(note));
                (text, has_replacements)
            }
            Formatted::Refused(why) => {
                has_complaints = true;
                process.say_line(&why)?;
                continue;
            }
        };
        changed += 1;
        if args.check {
            process.say_line(&format!("{file} is not in house format"))?;
            continue;
        }
        write(&args.dir.join(&file), &text)?;
        let also = if has_replacements { ", with replacements in place of vars" } else { "" };
        process.say_line(&format!("formatted {file}{also}"))?;
        // Other files are checked against what is written.
        tree.files.insert(file, text.into_bytes());
    }
    match (args.check && changed > 0, has_complaints) {
        (true, _) => {
            process.say_line("run `tidegate fmt`")?;
            Err(Failure::Findings)
        }
        (false, true) => Err(Failure::Findings),
        (false, false) => Ok(()),
    }
}

/// Returns the files that are formatted.
fn files(tree: &Tree) -> Vec<String> {
    let is_yaml = |file: &&String| file.ends_with(".yaml") || file.ends_with(".yml");
    let is_hidden = |file: &str| file.split('/').any(|part| part.starts_with('.'));
    // The templates of a chart are no YAML.
    let is_of_chart = |file: &str| {
        let mut above = Path::new(file).ancestors().skip(1);
        above.any(|above| tree.files.contains_key(&above.join("Chart.yaml").display().to_string()))
    };
    // The lock has the hash of what another program rendered.
    let rendered = Lock::read(tree).unwrap_or_default().applications;
    let is_rendered = |file: &str| rendered.iter().any(|application| application.file == file);
    let is_in = |directories: &[&str], file: &str| directories.iter().any(|directory| file.starts_with(directory));
    let is_left_alone =
        |file: &str| is_hidden(file) || is_in(&LEFT_ALONE, file) || is_of_chart(file) || is_rendered(file);
    tree.files.keys().filter(is_yaml).filter(|file| !is_left_alone(file)).cloned().collect()
}

/// A file in house format.
enum Formatted {
    /// It was in house format. The note describes vars that stay.
    Same { note: Option<String> },
    /// It was not.
    Changed { text: String, note: Option<String>, has_replacements: bool },
    /// It cannot be formatted, and why.
    Refused(String),
}

/// Formats a file.
fn formatted(tree: &Tree, file: &str) -> Formatted {
    let text = tree.files.get(file).map(|bytes| std::str::from_utf8(bytes));
    let Some(Ok(text)) = text else { return Formatted::Refused(format!("{file}: the file is not UTF-8")) };
    let fixed = match is_kustomization(file).then(|| vars_to_replacements(tree, file)) {
        Some(fixed) => fixed,
        None => Ok(None),
    };
    let note = fixed.as_ref().err().map(|refused| format!("{}: {}", refused.place, refused.message));
    let fixed = fixed.ok().flatten();
    match format(fixed.as_deref().unwrap_or(text)) {
        Ok(formatted) if formatted == text => Formatted::Same { note },
        Ok(formatted) => Formatted::Changed { text: formatted, note, has_replacements: fixed.is_some() },
        Err(error) => {
            Formatted::Refused(format!("{file}:{}:{}: {}", error.place.line, error.place.column, error.message))
        }
    }
}

/// Replaces a file in one step.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        let hint = "name a directory with free space that you may write to; the file was not changed";
        Failure::Usage(format!("{} cannot be written: {error}; {hint}", path.display()))
    };
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".tidegate-fmt");
    let aside = path.with_file_name(name);
    let permissions = fs::metadata(path).map_err(failed)?.permissions();
    let written = fs::write(&aside, text)
        .and_then(|()| fs::set_permissions(&aside, permissions))
        .and_then(|()| fs::rename(&aside, path));
    written.map_err(|error| {
        drop(fs::remove_file(&aside));
        failed(error)
    })
}

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
use tidegate_model::tree::Tree;

/// Directories whose files are not formatted: copies of remote files, and decisions, which belong to who signed them.
const LEFT_ALONE: [&str; 3] = ["vendor/", "approvals/", "control/"];

/// Formats the files, or lists those that are not in house format.
pub(crate) fn run(process: &Process, args: &FmtArgs) -> Result<(), Failure> {
    let mut tree = directory::tree(&args.dir)?;
    let (mut changed, mut has_complaints) = (0, false);
    for file in files(&tree) {
        let (text, complaint) = formatted(&tree, &file);
        if let Some(complaint) = complaint {
            has_complaints = true;
            process.say_line(&complaint)?;
        }
        let Some(text) = text else { continue };
        changed += 1;
        if args.check {
            process.say_line(&format!("{file} is not in house format"))?;
            continue;
        }
        write(&args.dir.join(&file), &text)?;
        process.say_line(&format!("formatted {file}"))?;
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
    let is_left_alone = |file: &str| {
        is_hidden(file) || LEFT_ALONE.iter().any(|directory| file.starts_with(directory)) || is_of_chart(file)
    };
    tree.files.keys().filter(is_yaml).filter(|file| !is_left_alone(file)).cloned().collect()
}

/// Returns the new content of a file, if it differs, and a complaint about what stays.
fn formatted(tree: &Tree, file: &str) -> (Option<String>, Option<String>) {
    let Some(bytes) = tree.files.get(file) else { return (None, None) };
    let Ok(text) = std::str::from_utf8(bytes) else {
        return (None, Some(format!("{file}: the file is not UTF-8")));
    };
    let (fixed, complaint) = match is_kustomization(file).then(|| vars_to_replacements(tree, file)) {
        Some(Ok(Some(fixed))) => (fixed, None),
        Some(Err(refused)) => (text.to_owned(), Some(format!("{}: {}", refused.place, refused.message))),
        Some(Ok(None)) | None => (text.to_owned(), None),
    };
    match format(&fixed) {
        Ok(formatted) => ((formatted != text).then_some(formatted), complaint),
        Err(error) => {
            let place = format!("{file}:{}:{}", error.place.line, error.place.column);
            (None, Some(format!("{place}: {}", error.message)))
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

//! Loads the settings from the files of a repository.

use super::reader::Reader;
use super::rendering::Rendering;
use super::types::{SETTINGS_FILE, Settings, normal_path};
use crate::complaint::{Complaint, Rule};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::tree::Tree;

/// The settings as read, with the place for complaints about the path.
pub(crate) struct Read {
    pub(crate) settings: Settings,
    pub(crate) path_place: Place,
}

/// Returns the settings of a repository; the defaults if there is no file.
///
/// # Errors
/// The complaints about them, sorted by place.
pub fn settings(tree: &Tree) -> Result<Settings, Vec<Complaint>> {
    let mut complaints = Vec::new();
    let read = read(tree, "", &mut complaints);
    if complaints.is_empty() {
        return Ok(read.settings);
    }
    complaints.sort();
    Err(complaints)
}

/// Returns the applications that another program renders, as far as they can be read.
pub fn renderings(tree: &Tree) -> Vec<Rendering> {
    let mut complaints = Vec::new();
    let mut reader = Reader::new(&mut complaints);
    if let Some(text) = tree.files.get(SETTINGS_FILE).and_then(|bytes| std::str::from_utf8(bytes).ok()) {
        reader.file(text);
    }
    reader.renderings
}

/// Returns the settings in a file, as far as they can be read; the defaults if there is no file.
pub fn settings_of(file: Option<Vec<u8>>) -> Settings {
    let files = file.map(|bytes| (SETTINGS_FILE.to_owned(), bytes)).into_iter().collect();
    read(&Tree { files, ..Tree::default() }, "", &mut Vec::new()).settings
}

/// Reads the settings; a non-empty path overrides the one in the file.
pub(crate) fn read(tree: &Tree, path: &str, complaints: &mut Vec<Complaint>) -> Read {
    let mut reader = Reader::new(complaints);
    if let Some(bytes) = tree.files.get(SETTINGS_FILE) {
        match std::str::from_utf8(bytes) {
            Ok(text) => reader.file(text),
            Err(_) => reader
                .complain(Place::start_of(SETTINGS_FILE), "the file is not UTF-8 text; save it as UTF-8".to_owned()),
        }
    } else if let Some(why) = tree.skipped.get(SETTINGS_FILE) {
        // Otherwise the defaults would apply, which remove objects that left the repository.
        reader.complain(
            Place::start_of(SETTINGS_FILE),
            format!("the settings are not read: {why}; write a regular file"),
        );
    } else if tree.files.keys().any(|file| file.starts_with("tidegate.toml/")) {
        reader
            .complain(Place::start_of(SETTINGS_FILE), "the settings are a directory; write a regular file".to_owned());
    }
    let Reader { mut settings, mut path_place, .. } = reader;
    if !tree.files.contains_key(SETTINGS_FILE) {
        // Without the file, the default applies, and no file is wrong.
        path_place = Place::start_of(".");
    }
    if !path.is_empty() {
        path_place = Place::start_of(path);
        match normal_path(path) {
            Ok(path) => settings.path = path,
            Err(why) => {
                let message = format!("the path {path:?} {why}");
                complaints.push(Complaint::new(Rule::Settings, Diagnostic::error(path_place.clone(), message)));
            }
        }
    }
    Read { settings, path_place }
}

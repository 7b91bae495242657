//! Files that a command creates in a directory, and never over files that are there.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::cli::failure::Failure;

/// Refuses a directory that contains anything but a `.git`.
pub(crate) fn check_empty(directory: &Path) -> Result<(), Failure> {
    let unusable = |why: &str| {
        Failure::Usage(format!("{}: {why}; name an empty directory, or one that does not exist", directory.display()))
    };
    match fs::read_dir(directory) {
        Ok(entries) => {
            match entries.filter(|entry| entry.as_ref().map_or(true, |entry| entry.file_name() != ".git")).count() {
                0 => Ok(()),
                _ => Err(unusable("the directory is not empty")),
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(unusable(&error.to_string())),
    }
}

/// Writes files by their paths in a directory, and creates the directories. A file that exists is an error, and is not changed.
pub(crate) fn write(directory: &Path, files: &BTreeMap<String, String>) -> Result<(), Failure> {
    if let Some(name) = files.keys().find(|name| directory.join(name).exists()) {
        let path = directory.join(name);
        return Err(Failure::Usage(format!("{} exists, and is not replaced; nothing was written", path.display())));
    }
    for (name, text) in files {
        let path = directory.join(name);
        let unwritable = |error: std::io::Error| {
            Failure::Usage(format!(
                "{} cannot be written: {error}; remove what was written, and name a directory with free space that you may write to",
                path.display()
            ))
        };
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(unwritable)?;
        }
        // A file that someone else has created in the meantime is not replaced.
        let created = fs::OpenOptions::new().write(true).create_new(true).open(&path);
        created.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes())).map_err(unwritable)?;
    }
    Ok(())
}

//! The directory of the new repository.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::cli::failure::Failure;

/// Refuses a directory that has any content: no file is ever overwritten.
pub(super) fn check_empty(directory: &Path) -> Result<(), Failure> {
    let unusable = |why: &str| {
        Failure::Usage(format!(
            "--dir {}: {why}; name an empty directory, or one that does not exist",
            directory.display()
        ))
    };
    match fs::read_dir(directory) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => Err(unusable("the directory is not empty")),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(unusable(&error.to_string())),
    }
}

/// Writes files, and creates their directories.
pub(super) fn write(directory: &Path, files: &BTreeMap<String, String>) -> Result<(), Failure> {
    for (name, text) in files {
        let path = directory.join(name);
        let unwritable = |error: std::io::Error| {
            Failure::Usage(format!(
                "{} cannot be written: {error}; remove {} and name a directory with free space that you may write to",
                path.display(),
                directory.display()
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

//! Files that a command creates in a directory, and never over files that are there.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write as _};
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

/// Writes files by their paths in a directory, and creates the directories. A file that exists is an error, and is not changed. No file is
/// written through a symbolic link below the directory. If one cannot be written, those before it are removed.
pub(crate) fn write(directory: &Path, files: &BTreeMap<String, impl AsRef<[u8]>>) -> Result<(), Failure> {
    for name in files.keys() {
        let path = directory.join(name);
        if path.symlink_metadata().is_ok() {
            return Err(Failure::Usage(format!("{} exists, and is not replaced; nothing was written", path.display())));
        }
        let above = Path::new(name).ancestors().skip(1).map(|above| directory.join(above));
        let inside = above.take_while(|above| above != directory);
        if let Some(link) = inside.into_iter().find(|above| above.is_symlink()) {
            return Err(Failure::Usage(format!("{} is a symbolic link; nothing was written", link.display())));
        }
    }
    let mut written = Vec::new();
    for (name, content) in files {
        let path = directory.join(name);
        if let Err(error) = create(&path, content.as_ref()) {
            written.iter().for_each(|path| drop(fs::remove_file(path)));
            return Err(Failure::Usage(format!(
                "{} cannot be written: {error}; name a directory with free space that you may write to; no file was kept",
                path.display()
            )));
        }
        written.push(path);
    }
    Ok(())
}

fn create(path: &Path, content: &[u8]) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    // A file that someone else has created in the meantime is not replaced.
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(content).inspect_err(|_| drop(fs::remove_file(path)))
}

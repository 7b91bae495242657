//! Opens a repository on this machine that others use as well.

use std::io;
use std::path::Path;

use crate::store::state;

/// Opens the repository at a path. Only the repository's own configuration is read.
pub(crate) fn open(path: &Path) -> gix::Result<gix::Repository> {
    // The library would treat a file as a gitfile that links to a repository, and its error would repeat the content.
    if path.is_file() {
        let why = io::Error::new(io::ErrorKind::NotADirectory, "it is a file, not a repository");
        return Err(gix::Error::from_error(why));
    }
    let mut repository = state::options().open(path)?.to_thread_local();
    // Git transfers the objects themselves, and not those that replace them in this repository.
    repository.objects.ignore_replacements = true;
    Ok(repository)
}

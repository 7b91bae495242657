//! `tidegate policy library`: policies that many teams want.

use std::fs;
use std::io::{ErrorKind, Write as _};

use crate::cli::args::LibraryArgs;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use tidegate_review::policy::library::FILES;

/// Prints the library, or writes it to a directory. A file that exists is kept.
pub(super) fn run(process: &Process, args: &LibraryArgs) -> Result<(), Failure> {
    let Some(directory) = &args.write else {
        let texts: Vec<&str> = FILES.iter().map(|file| file.text).collect();
        return process.say(&texts.join("---\n"));
    };
    let unwritable = |path: &std::path::Path, error: &std::io::Error| {
        Failure::Usage(format!("{} cannot be written: {error}; name a directory that you may write to", path.display()))
    };
    fs::create_dir_all(directory).map_err(|error| unwritable(directory, &error))?;
    for file in FILES {
        let path = directory.join(file.name);
        let created = fs::OpenOptions::new().write(true).create_new(true).open(&path);
        match created.and_then(|mut created| created.write_all(file.text.as_bytes())) {
            Ok(()) => process.say_line(&format!("wrote {}", path.display()))?,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                process.say_line(&format!("kept {}, which exists", path.display()))?;
            }
            Err(error) => return Err(unwritable(&path, &error)),
        }
    }
    Ok(())
}

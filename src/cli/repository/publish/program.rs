//! Runs the user's `git`.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cli::failure::Failure;
use tidegate_model::line::brief;

/// Variables that Git sets for its hooks. They would make a command work on another repository than the given one.
const OF_HOOKS: [&str; 7] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_PREFIX",
];
/// Maximum number of characters of Git's own message in an error.
const MAX_MESSAGE: usize = 600;

/// The user's `git` in one repository.
#[derive(Debug)]
pub(super) struct Program {
    directory: PathBuf,
}

/// The output of a command.
#[derive(Debug)]
pub(super) struct Output {
    /// Whether it succeeded.
    pub(super) is_success: bool,
    /// Its standard output, without whitespace around it.
    pub(super) text: String,
    /// Its messages, as one line.
    pub(super) message: String,
}

impl Program {
    /// Runs Git in a directory.
    pub(super) fn new(directory: &Path) -> Self {
        Self { directory: directory.to_owned() }
    }

    /// Runs a command, whether it succeeds or not.
    pub(super) fn output(&self, arguments: &[&str]) -> Result<Output, Failure> {
        self.with(arguments, None, &[])
    }

    /// Runs a command with an index file and input.
    pub(super) fn with(&self, arguments: &[&str], index: Option<&Path>, input: &[u8]) -> Result<Output, Failure> {
        let mut command = Command::new("git");
        // Messages are for people, but the reasons of a refused push are easier to find in one language.
        command.current_dir(&self.directory).args(arguments).env("LC_ALL", "C");
        OF_HOOKS.iter().for_each(|name| {
            command.env_remove(name);
        });
        if let Some(index) = index {
            command.env("GIT_INDEX_FILE", index.as_os_str());
        }
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().map_err(|error| missing(&self.directory, &error))?;
        if let Some(mut stdin) = child.stdin.take() {
            // A command that does not read its input ends early, and its own message is the better one.
            let _ = stdin.write_all(input);
        }
        let output = child.wait_with_output().map_err(|error| Failure::internal(&error))?;
        Ok(Output {
            is_success: output.status.success(),
            text: String::from_utf8_lossy(&output.stdout).trim().to_owned(),
            message: brief(&String::from_utf8_lossy(&output.stderr), MAX_MESSAGE),
        })
    }

    /// Runs a command that must succeed, and returns its output.
    pub(super) fn run(&self, arguments: &[&str]) -> Result<String, Failure> {
        self.run_with(arguments, None, &[])
    }

    /// Runs a command with an index file and input. It must succeed.
    pub(super) fn run_with(&self, arguments: &[&str], index: Option<&Path>, input: &[u8]) -> Result<String, Failure> {
        let output = self.with(arguments, index, input)?;
        if output.is_success {
            return Ok(output.text);
        }
        let command = arguments.first().copied().unwrap_or_default();
        Err(Failure::Usage(format!("`git {command}` failed in {}: {}", self.directory.display(), output.message)))
    }
}

fn missing(directory: &Path, error: &std::io::Error) -> Failure {
    let program = OsStr::new("git").to_string_lossy();
    Failure::Usage(format!(
        "{program} cannot be run in {}: {error}; install Git, and check that {program} is on the PATH",
        directory.display()
    ))
}

//! Runs the `git` program.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cli::failure::Failure;
use tidegate_model::line::brief;

/// Variables that a hook of Git sets, and that would point git at another repository or index.
const OF_HOOKS: [&str; 7] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
];

/// The longest output of git that is repeated, in characters.
const MAX_REPEATED: usize = 400;

/// `git`, in a directory.
#[derive(Debug, Clone)]
pub(super) struct Git {
    directory: PathBuf,
}

/// What a run of git printed.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) is_success: bool,
    pub(super) output: String,
    errors: String,
}

impl Git {
    pub(super) fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Runs git, and returns what it printed, whether it succeeded or not.
    ///
    /// # Errors
    /// [`Failure::Usage`] if there is no git.
    pub(super) fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Ran, Failure> {
        self.run_with(arguments, &[], None)
    }

    /// Runs git with environment variables and an input.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub(super) fn run_with<S: AsRef<OsStr>>(
        &self,
        arguments: &[S],
        variables: &[(&str, &OsStr)],
        input: Option<&[u8]>,
    ) -> Result<Ran, Failure> {
        let mut command = Command::new("git");
        for name in OF_HOOKS {
            command.env_remove(name);
        }
        // The answers are compared with strings, so they must not be translated.
        command.current_dir(&self.directory).env("LC_ALL", "C").args(arguments);
        command.envs(variables.iter().copied());
        command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
        let failed = |error: std::io::Error| {
            Failure::Usage(format!(
                "git cannot be run: {error}; install git, or edit the file yourself and push it (docs/control.md)"
            ))
        };
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed)?;
        if let (Some(input), Some(mut stdin)) = (input, child.stdin.take()) {
            // A git that ends before it has read everything reports why.
            let _ = stdin.write_all(input);
        }
        let output = child.wait_with_output().map_err(failed)?;
        Ok(Ran {
            is_success: output.status.success(),
            output: String::from_utf8_lossy(&output.stdout).into_owned(),
            errors: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// Runs git, and returns its output without the last line break; `None` if it failed.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub(super) fn ask(&self, arguments: &[&str]) -> Result<Option<String>, Failure> {
        let ran = self.run(arguments)?;
        Ok(ran.is_success.then(|| ran.output.trim_end().to_owned()))
    }
}

impl Ran {
    /// Returns the output, trimmed.
    ///
    /// # Errors
    /// [`Failure::Internal`] if git failed.
    pub(super) fn expect(self, what: &str) -> Result<String, Failure> {
        if self.is_success {
            return Ok(self.output.trim().to_owned());
        }
        Err(Failure::Internal(format!("git cannot {what}: {}", self.complaint())))
    }

    /// Returns what git said about its failure, on one line.
    pub(super) fn complaint(&self) -> String {
        let lines = self.errors.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("hint:"));
        brief(&lines.collect::<Vec<_>>().join("; "), MAX_REPEATED)
    }

    /// Returns `true` if git said this.
    pub(super) fn says(&self, text: &str) -> bool {
        self.errors.contains(text)
    }
}

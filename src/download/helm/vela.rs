//! The `vela` program of KubeVela: its version, and what an application renders to.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;
use tidegate_model::line::brief;

use super::process::{Ran, Stopped, run};
use super::program::{VERSION_TIME, complaint, directory, version, write};
use crate::Error;

/// The time for `vela dry-run`.
const TIME: Duration = Duration::from_secs(120);
/// The most bytes of its output.
const BYTES: u64 = 16 << 20;

/// The `vela` program. It gets nothing of the user's environment but `PATH`: no configuration, credentials or cluster.
#[derive(Debug, Clone)]
pub struct Vela {
    program: PathBuf,
    path: OsString,
    version: String,
}

/// What is rendered: paths relative to the root of the repository.
#[derive(Debug, Clone, Copy)]
pub struct DryRun<'a> {
    /// The files that vela may read.
    pub files: &'a BTreeMap<String, Vec<u8>>,
    /// The file with the Application.
    pub app: &'a str,
    /// The file or directory with its definitions.
    pub definitions: &'a str,
}

impl Vela {
    /// Finds the program and its version. `path` is the list of directories in which it, and nothing else, is looked for. Blocks.
    ///
    /// # Errors
    /// [`Error::Vela`] if it cannot be run.
    pub fn find(program: impl Into<PathBuf>, path: impl Into<OsString>) -> Result<Self, Error> {
        let mut vela = Self { program: program.into(), path: path.into(), version: String::new() };
        let home = directory("tidegate-vela-")?;
        let ran = run(vela.command(&home).arg("version"), VERSION_TIME, 4 << 10);
        let ran = ran.map_err(|stopped| vela.failed("cannot be run", stopped, VERSION_TIME))?;
        let printed = String::from_utf8_lossy(&ran.output).into_owned();
        // The version of the cluster follows.
        let found = printed.lines().find(|line| line.to_ascii_lowercase().starts_with("cli version")).and_then(version);
        let found = found.filter(|_| ran.status.success()).ok_or_else(|| Error::Vela {
            what: "has no known version",
            why: format!("`{} version` printed {:?}; {INSTALL}", vela.program.display(), brief(&printed, 100)),
        })?;
        vela.version = format!("v{found}");
        Ok(vela)
    }

    /// Returns the version, such as `v1.10.3`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Renders an application, and returns what vela printed. Blocks.
    ///
    /// # Errors
    /// [`Error::Vela`] with the messages of vela if it fails, or exceeds a limit.
    pub fn dry_run(&self, DryRun { files, app, definitions }: DryRun<'_>) -> Result<String, Error> {
        let home = directory("tidegate-vela-")?;
        // A directory of its own: what vela writes to its home is not read.
        let root = home.path().join("repository");
        for (path, content) in files {
            write(&root.join(path), content)
                .map_err(|source| Error::Local { what: "the files cannot be written for vela".to_owned(), source })?;
        }
        let mut command = self.command(&home);
        command.current_dir(&root).args(["dry-run", "--offline", "-f", app, "-d", definitions]);
        let ran = run(&mut command, TIME, BYTES);
        let ran = ran.map_err(|stopped| self.failed("has not rendered the application", stopped, TIME))?;
        if !ran.status.success() {
            return Err(Error::Vela { what: "cannot render the application", why: self.complaint(&ran, &home) });
        }
        let unreadable = |_| Error::Vela { what: "cannot be used", why: "its output is not UTF-8 text".to_owned() };
        String::from_utf8(ran.output).map_err(unreadable)
    }

    fn command(&self, home: &TempDir) -> Command {
        let mut command = Command::new(&self.program);
        command
            .env_clear()
            .current_dir(home.path())
            .env("PATH", &self.path)
            .env("HOME", home.path())
            .env("LC_ALL", "C");
        command.env("VELA_HOME", home.path().join("vela")).env("KUBECONFIG", home.path().join("no-cluster"));
        command.env("TMPDIR", home.path());
        command
    }

    fn complaint(&self, ran: &Ran, home: &TempDir) -> String {
        complaint(ran, &home.path().join("repository"))
    }

    fn failed(&self, what: &'static str, stopped: Stopped, time: Duration) -> Error {
        let program = self.program.display();
        let why = match stopped {
            Stopped::TimedOut => format!("it did not end within {time:?}"),
            Stopped::TooLarge => format!("it printed more than {} MiB", BYTES >> 20),
            Stopped::Failed(error) if error.kind() == std::io::ErrorKind::NotFound => {
                format!("{program} is not in PATH; {INSTALL}")
            }
            Stopped::Failed(error) => format!("{program}: {error}"),
        };
        Error::Vela { what, why }
    }
}

/// What to do without the program.
const INSTALL: &str = "install the command line of KubeVela (https://kubevela.io), or name it with --vela";

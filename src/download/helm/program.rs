//! The `helm` program: its version, and the manifests of a chart.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;
use tidegate_model::line::brief;

use super::process::{Ran, Stopped, run};
use crate::Error;

/// Most characters of the messages of helm that are repeated.
const LONGEST: usize = 600;

/// The time for the version of a program.
pub(super) const VERSION_TIME: Duration = Duration::from_secs(30);

/// Limits of one rendering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HelmLimits {
    /// The time.
    pub time: Duration,
    /// The most bytes of the output.
    pub bytes: u64,
}

impl Default for HelmLimits {
    /// Returns two minutes and 16 MiB, which is the limit for one file of a commit.
    fn default() -> Self {
        Self { time: Duration::from_secs(120), bytes: 16 << 20 }
    }
}

/// What is rendered.
#[derive(Debug, Clone, Copy)]
pub struct Release<'a> {
    /// The files of the chart, relative to its directory.
    pub chart: &'a BTreeMap<String, Vec<u8>>,
    /// The contents of the values files, in order.
    pub values: &'a [Vec<u8>],
}

/// The `helm` program. It gets nothing of the user's environment but `PATH`: no repositories, plugins, credentials or cluster.
#[derive(Debug, Clone)]
pub struct Helm {
    program: PathBuf,
    path: OsString,
    version: String,
    limits: HelmLimits,
}

impl Helm {
    /// Finds the program and its version. `path` is the list of directories in which it, and nothing else, is looked for. Blocks.
    ///
    /// # Errors
    /// [`Error::Helm`] if it cannot be run, or is neither helm 3 nor helm 4.
    pub fn find(program: impl Into<PathBuf>, path: impl Into<OsString>, limits: HelmLimits) -> Result<Self, Error> {
        let mut helm = Self { program: program.into(), path: path.into(), version: String::new(), limits };
        let home = directory("tidegate-helm-")?;
        let mut command = helm.command(home.path());
        let ran = run(command.args(["version", "--short"]), VERSION_TIME, 4 << 10);
        let ran = ran.map_err(|stopped| helm.failed("cannot be run", stopped))?;
        let printed = String::from_utf8_lossy(&ran.output).into_owned();
        let version = version(&printed).filter(|_| ran.status.success());
        let version = version.ok_or_else(|| Error::Helm {
            what: "has no known version",
            why: format!(
                "`{} version --short` printed {:?}; install helm 3 or 4 (https://helm.sh)",
                helm.program.display(),
                brief(&printed, 100)
            ),
        })?;
        if !["3", "4"].contains(&version.split('.').next().unwrap_or_default()) {
            let why = format!("it is version {version}; install helm 3 or 4 (https://helm.sh)");
            return Err(Error::Helm { what: "cannot be used", why });
        }
        helm.version = format!("v{version}");
        Ok(helm)
    }

    /// Returns the version, such as `v4.1.4`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Renders a chart, and returns what helm printed. `arguments` gets the path of the chart and those of the values files. Blocks.
    ///
    /// # Errors
    /// [`Error::Helm`] with the messages of helm if it fails, or exceeds a limit.
    pub fn template(
        &self,
        release: Release<'_>,
        arguments: impl FnOnce(&str, &[String]) -> Vec<String>,
    ) -> Result<Vec<u8>, Error> {
        let home = directory("tidegate-helm-")?;
        let unwritable = |source| Error::Local { what: "the chart cannot be written for helm".to_owned(), source };
        let chart = home.path().join("chart");
        for (path, content) in release.chart {
            write(&chart.join(path), content).map_err(unwritable)?;
        }
        let mut values = Vec::new();
        for (at, content) in release.values.iter().enumerate() {
            let path = home.path().join(format!("values-{at}.yaml"));
            write(&path, content).map_err(unwritable)?;
            values.push(path.display().to_string());
        }
        let mut command = self.command(home.path());
        command.args(arguments(&chart.display().to_string(), &values));
        let ran = run(&mut command, self.limits.time, self.limits.bytes);
        let ran = ran.map_err(|stopped| self.failed("has not rendered the chart", stopped))?;
        if !ran.status.success() {
            return Err(Error::Helm { what: "cannot render the chart", why: complaint(&ran, home.path()) });
        }
        Ok(ran.output)
    }

    fn command(&self, home: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.env_clear().current_dir(home).env("PATH", &self.path).env("HOME", home).env("LC_ALL", "C");
        for (name, directory) in [
            ("HELM_CONFIG_HOME", "config"),
            ("HELM_CACHE_HOME", "cache"),
            ("HELM_DATA_HOME", "data"),
            ("HELM_PLUGINS", "plugins"),
            ("KUBECONFIG", "no-cluster"),
            ("TMPDIR", "."),
        ] {
            command.env(name, home.join(directory));
        }
        command
    }

    fn failed(&self, what: &'static str, stopped: Stopped) -> Error {
        let why = match stopped {
            Stopped::TimedOut => format!("it did not end within {:?}", self.limits.time),
            Stopped::TooLarge => format!("it printed more than {} MiB", self.limits.bytes >> 20),
            Stopped::Failed(error) if error.kind() == io::ErrorKind::NotFound => {
                format!("{} is not in PATH; install helm 3 or 4 (https://helm.sh)", self.program.display())
            }
            Stopped::Failed(error) => format!("{}: {error}", self.program.display()),
        };
        Error::Helm { what, why }
    }
}

/// Returns the first version in the output, without a `v` and what is after the numbers.
pub(super) fn version(printed: &str) -> Option<&str> {
    let words = printed.split(|c: char| c.is_whitespace() || matches!(c, '"' | '+' | '-' | ','));
    let is_version = |word: &&str| {
        word.contains('.') && word.split('.').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
    };
    words.map(|word| word.trim_start_matches('v')).find(is_version)
}

/// Returns what a program said about its failure, without the path of the temporary directory.
pub(super) fn complaint(ran: &Ran, home: &Path) -> String {
    let messages = String::from_utf8_lossy(&ran.messages);
    let messages = messages.replace(&format!("{}/", home.display()), "");
    let messages = messages.trim().trim_start_matches("Error: ");
    if messages.is_empty() { format!("it ended with {}", ran.status) } else { brief(messages, LONGEST) }
}

pub(super) fn directory(prefix: &str) -> Result<TempDir, Error> {
    let failed = |source| Error::Local { what: "a temporary directory cannot be created".to_owned(), source };
    tempfile::Builder::new().prefix(prefix).tempdir().map_err(failed)
}

pub(super) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, content)
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn the_version_of_helm_is_found_in_what_it_prints() {
        for (printed, expected) in [
            ("v4.1.4+g05fa379\n", Some("4.1.4")),
            ("v3.19.0", Some("3.19.0")),
            ("version.BuildInfo{Version:\"v3.2.1\", x}", Some("3.2.1")),
            ("WARNING: readable.\nv3.1.0-rc.1", Some("3.1.0")),
            ("Client: 2", None),
            ("", None),
        ] {
            assert_eq!(version(printed), expected, "{printed}");
        }
    }
}

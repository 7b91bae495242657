//! Starts the `ssh` program and interprets its messages.

use std::io::Read;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::Error;
use crate::sanitize::one_line;

/// Never prompts, and gives up on a peer that is silent for a minute: `ssh` has no limit by default.
const BASE_OPTIONS: &str = "-o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=15 -o ServerAliveCountMax=4";

/// Settings for reaching a remote with `ssh`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ssh {
    pub(super) program: PathBuf,
    pub(crate) key: Option<PathBuf>,
    pub(super) known_hosts: Option<PathBuf>,
}

impl Default for Ssh {
    fn default() -> Self {
        Self { program: PathBuf::from("ssh"), key: None, known_hosts: None }
    }
}

/// A prepared command, and the file that receives its error output.
pub(super) struct Prepared {
    pub(crate) command: String,
    stderr: NamedTempFile,
}

/// The cause of a failure, according to the messages of `ssh`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SshFailure {
    HostKey,
    Unauthorized,
    Unreachable,
    Unclear,
}

impl Ssh {
    /// Checks the files and builds the shell command.
    ///
    /// # Errors
    /// [`Error::File`] if a file is missing or `ssh` would not accept it.
    pub(crate) fn prepare(&self, state: &Path) -> Result<Prepared, Error> {
        let stderr = tempfile::Builder::new().prefix("ssh-").tempfile_in(state);
        let stderr =
            stderr.map_err(|error| Error::Open { dir: state.to_owned(), source: gix::Error::from_error(error) })?;
        let mut command = format!("exec {} {BASE_OPTIONS}", quoted(&text("ssh program", &self.program)?));
        if let Some(key) = &self.key {
            check_key(key, stderr.path())?;
            // Offer only this key, regardless of the machine's ssh configuration.
            let key = quoted(&token("private key", key)?);
            command += &format!(" -F /dev/null -o IdentitiesOnly=yes -o IdentityAgent=none -i {key}");
        }
        if let Some(hosts) = &self.known_hosts {
            check_file("known_hosts file", hosts)?;
            let setting = format!("UserKnownHostsFile=\"{}\"", token("known_hosts file", hosts)?);
            command += &format!(" -o {} -o GlobalKnownHostsFile=/dev/null", quoted(&setting));
        }
        if self.key.is_some() || self.known_hosts.is_some() {
            command += " -o StrictHostKeyChecking=yes";
        }
        command += &format!(" 2>{}", quoted(&text("state directory", stderr.path())?));
        Ok(Prepared { command, stderr })
    }
}

impl Prepared {
    /// Returns the error output of the program, on one line.
    pub(crate) fn message(&self) -> String {
        let mut bytes = Vec::new();
        let read = self.stderr.reopen().and_then(|file| file.take(8 << 10).read_to_end(&mut bytes));
        // The failure is reported even without the output.
        read.map(|_| one_line(&bytes)).unwrap_or_default()
    }
}

impl SshFailure {
    pub(crate) fn of(message: &str) -> Self {
        let holds = |texts: &[&str]| texts.iter().any(|text| message.contains(text));
        if holds(&["Host key verification failed", "HOST IDENTIFICATION HAS CHANGED"]) {
            Self::HostKey
        } else if holds(&["Permission denied", "Too many authentication failures"]) {
            Self::Unauthorized
        } else if holds(&[
            "Could not resolve hostname",
            "Connection refused",
            "Connection reset",
            "Connection closed",
            "Connection timed out",
            "Operation timed out",
            "Network is unreachable",
            "No route to host",
            "Broken pipe",
            "not responding",
        ]) {
            Self::Unreachable
        } else {
            Self::Unclear
        }
    }
}

fn check_file(what: &'static str, path: &Path) -> Result<std::fs::Metadata, Error> {
    let refuse = |why: String| Error::File { what, path: path.to_owned(), why };
    let found = std::fs::metadata(path).map_err(|error| refuse(error.to_string()))?;
    if found.is_file() { Ok(found) } else { Err(refuse("it is not a regular file".to_owned())) }
}

/// Checks that a private key is readable, but not by others.
///
/// # Errors
/// [`Error::File`] otherwise.
pub fn check_private_key(key: &Path) -> Result<(), Error> {
    // The owner of a new file is the current user.
    let mine = NamedTempFile::new().map_err(|error| Error::File {
        what: "private key",
        path: key.to_owned(),
        why: format!("cannot check whether others may read it without a temporary directory: {error}"),
    })?;
    check_key(key, mine.path())
}

/// Performs the same checks as `ssh`, but with errors that say what to do.
///
/// A key that another user owns may be readable by its group: Kubernetes mounts Secrets that way.
#[cfg(unix)]
fn check_key(key: &Path, mine: &Path) -> Result<(), Error> {
    use std::os::unix::fs::MetadataExt;
    let refuse = |why: String| Error::File { what: "private key", path: key.to_owned(), why };
    let found = check_file("private key", key)?;
    std::fs::File::open(key).map_err(|error| refuse(error.to_string()))?;
    let is_mine = std::fs::metadata(mine).is_ok_and(|mine| mine.uid() == found.uid());
    let forbidden = if is_mine { 0o077 } else { 0o007 };
    if found.mode() & forbidden == 0 {
        return Ok(());
    }
    let mode = found.mode() & 0o777;
    Err(refuse(format!(
        "others may read it (mode {mode:04o}): set its mode to 0400 (for a Secret, with `defaultMode`)"
    )))
}

#[cfg(not(unix))]
fn check_key(key: &Path, _mine: &Path) -> Result<(), Error> {
    check_file("private key", key).map(drop)
}

/// Returns a path for use in an `ssh` option, where `%`, `$` and quotes are special.
fn token(what: &'static str, path: &Path) -> Result<String, Error> {
    let text = text(what, path)?;
    if text.contains(['"', '$', '\n', '\\']) || text.starts_with('~') {
        let why = "its path contains characters that are special to ssh: move it".to_owned();
        return Err(Error::File { what, path: path.to_owned(), why });
    }
    Ok(text.replace('%', "%%"))
}

fn text(what: &'static str, path: &Path) -> Result<String, Error> {
    let refuse = || Error::File { what, path: path.to_owned(), why: "its path is not UTF-8: move it".to_owned() };
    path.to_str().map(ToOwned::to_owned).ok_or_else(refuse)
}

/// Quotes a string for a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_uses_one_key_and_one_known_hosts_file() {
        let state = tempfile::tempdir().unwrap();
        let odd = state.path().join("it's 100% odd");
        std::fs::create_dir(&odd).unwrap();
        let [key, hosts] = ["key", "hosts"].map(|name| odd.join(name));
        for file in [&key, &hosts] {
            std::fs::write(file, "x").unwrap();
        }
        set_mode(&key, 0o600);
        let ssh = Ssh { key: Some(key.clone()), known_hosts: Some(hosts.clone()), ..Ssh::default() };
        let command = ssh.prepare(state.path()).unwrap().command;
        let folder = state.path().display();
        assert!(command.contains(&format!(" -i '{folder}/it'\\''s 100%% odd/key'")), "{command}");
        assert!(
            command.contains(&format!("-o 'UserKnownHostsFile=\"{folder}/it'\\''s 100%% odd/hosts\"'")),
            "{command}"
        );
        assert!(command.contains("-F /dev/null") && command.contains("-o StrictHostKeyChecking=yes"), "{command}");
        let plain = Ssh::default().prepare(state.path()).unwrap().command;
        assert!(!plain.contains(" -F ") && !plain.contains("StrictHostKeyChecking"), "{plain}");
    }

    #[test]
    fn key_that_ssh_would_refuse_is_refused_with_a_clear_error() {
        let state = tempfile::tempdir().unwrap();
        let key = state.path().join("key");
        let refusal = |key: &Path| {
            let ssh = Ssh { key: Some(key.to_owned()), ..Ssh::default() };
            ssh.prepare(state.path()).map(drop).unwrap_err().to_string()
        };
        assert!(refusal(&key).contains("cannot be used: No such file"), "{}", refusal(&key));
        assert!(refusal(state.path()).ends_with("it is not a regular file"));
        std::fs::write(&key, "x").unwrap();
        for mode in [0o640, 0o604, 0o644] {
            set_mode(&key, mode);
            let expected =
                format!("others may read it (mode 0{mode:o}): set its mode to 0400 (for a Secret, with `defaultMode`)");
            assert!(refusal(&key).ends_with(&expected), "{}", refusal(&key));
        }
        let odd = state.path().join("$HOME");
        std::fs::write(&odd, "x").unwrap();
        set_mode(&odd, 0o600);
        assert!(refusal(&odd).ends_with("move it"));
    }

    fn set_mode(path: &Path, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn ssh_messages_are_classified() {
        for (message, meaning) in [
            (
                "No ED25519 host key is known for x and you have requested strict checking. Host key verification failed.",
                SshFailure::HostKey,
            ),
            ("git@x: Permission denied (publickey).", SshFailure::Unauthorized),
            ("ssh: connect to host x port 22: Connection refused", SshFailure::Unreachable),
            ("ERROR: Repository not found.", SshFailure::Unclear),
            ("", SshFailure::Unclear),
        ] {
            assert_eq!(SshFailure::of(message), meaning, "{message}");
        }
    }
}

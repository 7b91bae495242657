//! User names and passwords of hosts, in the format of netrc.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// A file of credentials that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error(
    "the credentials file {path:?} cannot be used: {why}; write a line `machine HOST login USER password TOKEN` for each host"
)]
pub struct InvalidCredentials {
    /// The file.
    pub path: String,
    /// What is wrong with it.
    pub why: InvalidNetrc,
}

/// What is wrong with a file of credentials. It contains nothing of the file but names of hosts.
#[derive(Debug, thiserror::Error)]
pub enum InvalidNetrc {
    /// It cannot be read.
    #[error("{0}")]
    File(io::Error),
    /// It has an entry for all hosts, or a macro.
    #[error("{0:?} is not supported")]
    Unsupported(String),
    /// It has another format.
    #[error("it has something other than `machine`, `login` and `password`")]
    Unknown,
    /// A key is the last word of the file.
    #[error("{0:?} has no value")]
    NoValue(String),
    /// A key does not belong to a host.
    #[error("{0:?} comes before the first `machine`")]
    NoHost(String),
    /// A host has two entries.
    #[error("the host {0:?} is there twice")]
    Twice(String),
    /// A host has no password.
    #[error("the host {0:?} has no password")]
    NoPassword(String),
}

/// User names and passwords by host. Printing this value shows only the hosts.
///
/// # Source
/// The format of netrc, as curl and git read it, without `default` and `macdef`: credentials belong to the host that they name.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Credentials(BTreeMap<String, Login>);

/// The credentials of one host. It does not implement `Debug`, so that it cannot be logged by accident.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Login {
    pub(crate) user: String,
    pub(crate) password: String,
}

impl Credentials {
    /// Reads a file.
    ///
    /// # Errors
    /// [`InvalidCredentials`] if it cannot be read or is not in this format.
    pub fn read(path: &Path) -> Result<Self, InvalidCredentials> {
        let refuse = |why| InvalidCredentials { path: path.display().to_string(), why };
        let text = std::fs::read_to_string(path).map_err(|error| refuse(InvalidNetrc::File(error)))?;
        Self::parse(&text).map_err(refuse)
    }

    /// Parses the content of such a file.
    ///
    /// # Errors
    /// [`InvalidNetrc`]
    pub fn parse(text: &str) -> Result<Self, InvalidNetrc> {
        let mut found: BTreeMap<String, Login> = BTreeMap::new();
        let mut host: Option<String> = None;
        let lines = text.lines().map(|line| if line.trim_start().starts_with('#') { "" } else { line });
        let mut words = lines.flat_map(str::split_whitespace);
        while let Some(word) = words.next() {
            if matches!(word, "default" | "macdef") {
                return Err(InvalidNetrc::Unsupported(word.to_owned()));
            }
            if !matches!(word, "machine" | "login" | "password" | "account") {
                return Err(InvalidNetrc::Unknown);
            }
            let value = words.next().ok_or_else(|| InvalidNetrc::NoValue(word.to_owned()))?;
            match (word, &host) {
                ("machine", _) => {
                    let name = value.to_ascii_lowercase();
                    if found.insert(name.clone(), Login::default()).is_some() {
                        return Err(InvalidNetrc::Twice(name));
                    }
                    host = Some(name);
                }
                (_, None) => return Err(InvalidNetrc::NoHost(word.to_owned())),
                (field, Some(name)) => {
                    let login = found.entry(name.clone()).or_default();
                    match field {
                        "login" => login.user = value.to_owned(),
                        "password" => login.password = value.to_owned(),
                        _ => {}
                    }
                }
            }
        }
        match found.iter().find(|(_, login)| login.password.is_empty()) {
            Some((host, _)) => Err(InvalidNetrc::NoPassword(host.clone())),
            None => Ok(Self(found)),
        }
    }

    /// Returns the credentials of a host.
    pub(crate) fn of(&self, host: &str) -> Option<&Login> {
        self.0.get(&host.to_ascii_lowercase())
    }

    /// Returns a text without the passwords: a server may repeat what it received.
    pub(crate) fn redact(&self, text: &str) -> String {
        let secrets = self.0.values().map(|login| login.password.as_str()).filter(|password| password.len() >= 4);
        secrets.fold(text.to_owned(), |text, secret| text.replace(secret, "***"))
    }
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_belong_to_the_host_that_they_name() {
        let text =
            "# for pipelines\nmachine GHCR.io login ann password s3cret\n\nmachine git.example.com\n  password t0ken\n";
        let read = Credentials::parse(text).unwrap();
        let login = |host: &str| read.of(host).map(|login| (login.user.as_str(), login.password.as_str()));
        assert_eq!(login("ghcr.io"), Some(("ann", "s3cret")));
        assert_eq!(login("Git.Example.com"), Some(("", "t0ken")));
        assert_eq!(login("example.com"), None);
        assert_eq!(format!("{read:?}"), r#"{"ghcr.io", "git.example.com"}"#);
        assert_eq!(read.redact("no: s3cret"), "no: ***");
    }

    #[test]
    fn errors_do_not_repeat_the_file() {
        for (text, why) in [
            ("default login a password hunter2", "\"default\" is not supported"),
            ("hunter2", "it has something other than `machine`, `login` and `password`"),
            ("login hunter2", "\"login\" comes before the first `machine`"),
            ("machine a", "the host \"a\" has no password"),
            ("machine a password", "\"password\" has no value"),
            ("machine a password hunter2 machine A password x", "the host \"a\" is there twice"),
        ] {
            assert_eq!(Credentials::parse(text).unwrap_err().to_string(), why, "{text}");
        }
    }
}

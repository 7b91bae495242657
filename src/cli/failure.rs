//! How a command fails: the only place with exit codes.

use std::error::Error;

use tidegate_model::error_chain::ErrorChain;

/// Why a command failed, as a message for a person, with what to do next.
#[derive(Debug)]
pub enum Failure {
    /// A plan has changes, and they have been printed: exit code 2.
    Changes,
    /// There are findings, and they have been printed: exit code 1.
    Findings,
    /// A rollout is under way, and nothing is wrong: exit code 4.
    UnderWay,
    /// Something did not finish in time, or not completely: exit code 1.
    Unfinished(String),
    /// The command line or the configuration is wrong: exit code 2.
    Usage(String),
    /// The hub or Git cannot be reached: exit code 3.
    Unreachable {
        /// What failed, and why.
        message: String,
        /// What to do next.
        hint: String,
    },
    /// Any other error: exit code 70, `EX_SOFTWARE` in `sysexits.h`.
    Internal(String),
}

impl Failure {
    /// Creates [`Failure::Unreachable`] from an error and its causes.
    pub fn unreachable(error: &dyn Error, hint: impl Into<String>) -> Self {
        Self::Unreachable { message: ErrorChain(error).to_string(), hint: hint.into() }
    }

    /// Creates [`Failure::Unreachable`] from an error of Git, with a hint that matches the error.
    pub fn git(error: &tidegate_git::Error) -> Self {
        Self::unreachable(error, Self::git_hint(error))
    }

    /// Returns what to do about an error of Git.
    pub fn git_hint(error: &tidegate_git::Error) -> &'static str {
        if error.is_of_disk() {
            return "check that the state directory has free space and is writable, or name another one with --state-dir";
        }
        match error {
            tidegate_git::Error::Unauthorized { .. }
            | tidegate_git::Error::NoToken { .. }
            | tidegate_git::Error::Token { .. } => {
                "check the token or the ssh key, and its permissions; a clone on this machine needs neither"
            }
            tidegate_git::Error::NoAuthorities { .. } => {
                "install the certificates of authorities, such as Debian's package ca-certificates, or name their file in SSL_CERT_FILE"
            }
            tidegate_git::Error::Remote { .. } => {
                "check the address in --source: there seems to be no Git repository; some forges also answer this way if you may not \
                 read it"
            }
            tidegate_git::Error::Unreachable { .. } | tidegate_git::Error::TimedOut { .. } => {
                "check the address in --source and the network; `git ls-remote` with the same URL shows the answer that Git gets"
            }
            _ => "check --source and --ref; `git ls-remote` with the same URL shows the answer that Git gets",
        }
    }

    /// Creates [`Failure::Internal`] from an error and its causes.
    pub fn internal(error: &dyn Error) -> Self {
        Self::Internal(ErrorChain(error).to_string())
    }

    /// Returns the exit code.
    pub fn code(&self) -> u8 {
        match self {
            Self::Findings | Self::Unfinished(_) => 1,
            Self::Usage(_) | Self::Changes => 2,
            Self::Unreachable { .. } => 3,
            Self::UnderWay => 4,
            Self::Internal(_) => 70,
        }
    }

    /// Returns what to print; `None` if everything has been printed.
    pub(super) fn message(&self) -> Option<String> {
        match self {
            Self::Findings | Self::Changes | Self::UnderWay => None,
            Self::Unfinished(message) | Self::Usage(message) | Self::Internal(message) => {
                Some(format!("error: {message}"))
            }
            Self::Unreachable { message, hint } => Some(format!("error: {message}\nhint: {hint}")),
        }
    }
}

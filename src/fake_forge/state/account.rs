//! Accounts, their roles in the project, their tokens, and teams.

use tidegate_model::time::Timestamp;

/// What an account may do in the project, in increasing order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Nothing that a visitor may not.
    None,
    /// Read and comment. GitLab: guest.
    Read,
    /// Manage issues. GitLab: reporter.
    Triage,
    /// Push. GitLab: developer.
    Write,
    /// Manage the project. GitLab: maintainer.
    Maintain,
    /// Everything. GitLab: owner.
    Admin,
}

/// What a token may do, at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Only reading.
    Read,
    /// Whatever its account may.
    Full,
}

/// An account.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    pub(crate) id: u64,
    pub(crate) login: String,
    pub(crate) role: Role,
    pub(crate) is_bot: bool,
    /// Whether the account was removed.
    pub(crate) is_gone: bool,
}

/// A secret with which a client authenticates.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) value: String,
    pub(crate) account: u64,
    pub(crate) scope: Scope,
    pub(crate) expires: Option<Timestamp>,
    /// Whether it is of an installation of a GitHub App.
    pub(crate) is_installation: bool,
}

/// A team of the organization, or on GitLab a group below it.
#[derive(Debug, Clone)]
pub(crate) struct Team {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) members: Vec<u64>,
}

/// A GitHub App with its installation.
#[derive(Debug, Clone)]
pub(crate) struct App {
    pub(crate) id: u64,
    pub(crate) client_id: String,
    pub(crate) slug: String,
    /// The public key, in the DER form of PKCS#1.
    pub(crate) public_key: Vec<u8>,
    pub(crate) installation: u64,
    /// The account `<slug>[bot]`.
    pub(crate) account: u64,
}

impl Role {
    /// Returns the permission of GitHub and Gitea.
    pub(crate) fn permission(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Read | Self::Triage => "read",
            Self::Write | Self::Maintain => "write",
            Self::Admin => "admin",
        }
    }

    /// Returns GitHub's name of the role.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Read => "read",
            Self::Triage => "triage",
            Self::Write => "write",
            Self::Maintain => "maintain",
            Self::Admin => "admin",
        }
    }

    /// Returns GitLab's number.
    pub(crate) fn access_level(self) -> u64 {
        match self {
            Self::None => 0,
            Self::Read => 10,
            Self::Triage => 20,
            Self::Write => 30,
            Self::Maintain => 40,
            Self::Admin => 50,
        }
    }
}

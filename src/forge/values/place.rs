//! What a forge reports about a project, and what it allows.

use tidegate_model::forge::Account;

/// An answer to a repeated question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer<T> {
    /// The answer, which may be equal to the previous one.
    New(T),
    /// The answer is the one that was returned last.
    Unchanged,
}

/// A fact, or why the forge does not tell it.
pub type Known<T> = std::result::Result<T, String>;

/// The protection of a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protection {
    /// Whether rules protect the branch.
    pub is_protected: Known<bool>,
    /// Who may push to it without a pull request: logins, teams and roles in the words of the forge.
    pub pushers: Known<Vec<String>>,
    /// The contexts of statuses that must have succeeded before a merge.
    pub required_contexts: Known<Vec<String>>,
    /// Whether approvals are dismissed when commits are added.
    pub dismisses_stale: Known<bool>,
}

impl Protection {
    /// Returns the protection of a branch about which nothing is known.
    pub(crate) fn unknown(why: &str) -> Self {
        let why = || why.to_owned();
        Self {
            is_protected: Err(why()),
            pushers: Err(why()),
            required_contexts: Err(why()),
            dismisses_stale: Err(why()),
        }
    }

    /// Returns the protection of a branch that no rule protects.
    pub(crate) fn none(pushers: Known<Vec<String>>) -> Self {
        Self { is_protected: Ok(false), pushers, required_contexts: Ok(Vec::new()), dismisses_stale: Ok(false) }
    }
}

/// What the token may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// The account of the token.
    pub account: Known<Account>,
    /// The scopes or permissions of the token, in the words of the forge.
    pub scopes: Known<Vec<String>>,
    /// Whether the project exists and the token may see it.
    pub project: Known<bool>,
    /// Whether the token may push to the project.
    pub may_push: Known<bool>,
    /// The version of the forge, such as `1.22.3`; `None` for one that has no versions, such as github.com.
    pub version: Known<Option<String>>,
}

/// The limits of a forge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most characters of a comment.
    pub comment: usize,
    /// Most characters of the text of a status.
    pub status_text: usize,
}

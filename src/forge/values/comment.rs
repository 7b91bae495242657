//! Comments on pull requests.

use tidegate_model::forge::Account;
use tidegate_model::time::Timestamp;

/// A comment on a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// Who wrote it; `None` if the account is gone.
    pub by: Option<Account>,
    /// Its text.
    pub body: String,
    /// When it was written, by the clock of the forge.
    pub created: Timestamp,
    /// When it was changed last, by the clock of the forge.
    pub updated: Timestamp,
    /// Its page.
    pub url: String,
}

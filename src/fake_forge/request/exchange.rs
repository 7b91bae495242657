//! A request for the API together with the forge that answers it.

use super::super::act::Refusal;
use super::super::instance::Instance;
use super::super::state::{PullRecord, Role};
use super::super::traffic::Log;
use super::access::Caller;
use super::call::Call;

/// A request, and what its answer needs.
pub(crate) struct Exchange<'a> {
    pub(crate) forge: &'a mut Instance,
    pub(crate) call: &'a Call,
    pub(crate) caller: Caller,
    pub(crate) log: &'a mut Log,
}

impl Exchange<'_> {
    /// Returns the role of the client.
    pub(crate) fn role(&self) -> Role {
        self.caller.role(self.forge)
    }

    /// Returns the account of the client.
    ///
    /// # Errors
    /// If it is a visitor, or its role is lower than this one.
    pub(crate) fn account_with(&self, role: Role) -> Result<u64, Refusal> {
        self.caller.account.filter(|_| self.role() >= role).ok_or(Refusal::Forbidden)
    }

    /// Returns the pull request with a number in a path.
    ///
    /// # Errors
    /// If it is not a number, or the pull request does not exist.
    pub(crate) fn pull_at(&self, number: &str) -> Result<&PullRecord, Refusal> {
        number.parse().map_err(|_| Refusal::Missing("pull")).and_then(|number| self.forge.pull(number))
    }
}

/// Returns a number in a path.
///
/// # Errors
/// If it is not a number; the thing of this kind does not exist then.
pub(crate) fn id(text: &str, kind: &'static str) -> Result<u64, Refusal> {
    text.parse().map_err(|_| Refusal::Missing(kind))
}

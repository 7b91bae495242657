//! Branch protection of Gitea.

use serde::Deserialize;

use super::project::Gitea;
use crate::error::{Error, Result};
use crate::values::Protection;
use crate::wire::{Call, Operation};

/// A branch. Everyone who can read it sees this much of its protection.
#[derive(Deserialize)]
struct Branch {
    protected: bool,
    #[serde(default)]
    enable_status_check: bool,
    #[serde(default)]
    status_check_contexts: Option<Vec<String>>,
    #[serde(default)]
    effective_branch_protection_name: String,
}

/// A rule, which only administrators of the project see.
#[derive(Deserialize)]
struct Rule {
    enable_push: bool,
    enable_push_whitelist: bool,
    #[serde(default)]
    push_whitelist_usernames: Option<Vec<String>>,
    #[serde(default)]
    push_whitelist_teams: Option<Vec<String>>,
    dismiss_stale_approvals: bool,
}

impl Rule {
    fn pushers(&self) -> Vec<String> {
        if !self.enable_push {
            return Vec::new();
        }
        if !self.enable_push_whitelist {
            return vec!["everyone with write access".to_owned()];
        }
        let names = |names: &Option<Vec<String>>| names.clone().unwrap_or_default();
        let teams = names(&self.push_whitelist_teams).into_iter().map(|team| format!("team {team}"));
        names(&self.push_whitelist_usernames).into_iter().chain(teams).collect()
    }
}

impl Gitea {
    /// Returns the protection of a branch.
    pub(crate) async fn protection(&self, branch: &str) -> Result<Protection> {
        let call = Call::get(Operation::Protection, self.at(&["branches", branch]));
        let found: Branch = match self.client.json(&call).await {
            Ok(found) => found,
            Err(Error::Denied(why) | Error::NotFound(why)) => return Ok(Protection::unknown(&why)),
            Err(error) => return Err(error),
        };
        if !found.protected {
            return Ok(Protection::none(Ok(vec!["everyone with write access".to_owned()])));
        }
        let contexts =
            if found.enable_status_check { found.status_check_contexts.unwrap_or_default() } else { Vec::new() };
        let name = if found.effective_branch_protection_name.is_empty() {
            branch
        } else {
            &found.effective_branch_protection_name
        };
        let call = Call::get(Operation::Protection, self.at(&["branch_protections", name]));
        let (pushers, dismisses_stale) = match self.client.json::<Rule>(&call).await {
            Ok(rule) => (Ok(rule.pushers()), Ok(rule.dismiss_stale_approvals)),
            Err(Error::Denied(why) | Error::NotFound(why)) => (Err(why.clone()), Err(why)),
            Err(error) => return Err(error),
        };
        Ok(Protection { is_protected: Ok(true), pushers, required_contexts: Ok(contexts), dismisses_stale })
    }
}

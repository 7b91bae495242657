//! Protected branches of GitLab.

use serde::Deserialize;
use tidegate_model::glob::matches;

use super::project::{GitLab, PAGE};
use crate::client::known;
use crate::error::Result;
use crate::values::{Known, Protection};
use crate::wire::{Call, Operation};

#[derive(Deserialize)]
struct Branch {
    protected: bool,
}

/// A rule. Several may match a branch, and each one allows what it lists.
#[derive(Deserialize)]
struct Rule {
    /// The name of a branch, or a pattern with `*`.
    name: String,
    push_access_levels: Vec<Level>,
}

#[derive(Deserialize)]
struct Level {
    access_level_description: String,
}

#[derive(Deserialize)]
struct Project {
    only_allow_merge_if_pipeline_succeeds: Option<bool>,
}

#[derive(Deserialize)]
struct Approvals {
    reset_approvals_on_push: Option<bool>,
}

impl GitLab {
    /// Returns the protection of a branch.
    pub(crate) async fn protection(&self, branch: &str) -> Result<Protection> {
        let found: Known<Branch> = self.known(&["repository", "branches", branch]).await?;
        let is_protected = match found {
            Ok(branch) => branch.protected,
            Err(why) => return Ok(Protection::unknown(&why)),
        };
        let project: Known<Project> = self.known(&[]).await?;
        let required_contexts = match project.map(|project| project.only_allow_merge_if_pipeline_succeeds) {
            Ok(Some(true)) => {
                Err("all statuses of the head must have succeeded, because pipelines must succeed".to_owned())
            }
            Ok(_) => Ok(Vec::new()),
            Err(why) => Err(why),
        };
        let approvals: Known<Approvals> = self.known(&["approvals"]).await?;
        let dismisses_stale = approvals.and_then(|approvals| {
            approvals
                .reset_approvals_on_push
                .ok_or_else(|| "this edition of GitLab does not have the setting".to_owned())
        });
        let pushers = if is_protected {
            let call = Call::get(Operation::Protection, self.with(&["protected_branches"], &[PAGE]));
            known(self.client.linked::<Rule>(&call).await)?.map(|rules| pushers(rules, branch))
        } else {
            Ok(vec!["Developers + Maintainers".to_owned()])
        };
        Ok(Protection { is_protected: Ok(is_protected), pushers, required_contexts, dismisses_stale })
    }

    async fn known<T: serde::de::DeserializeOwned>(&self, parts: &[&str]) -> Result<Known<T>> {
        known(self.client.json(&Call::get(Operation::Protection, self.at(parts))).await)
    }
}

fn pushers(rules: Vec<Rule>, branch: &str) -> Vec<String> {
    let levels = rules.into_iter().filter(|rule| matches(&rule.name, branch)).flat_map(|rule| rule.push_access_levels);
    let mut pushers: Vec<String> = levels.map(|level| level.access_level_description).collect();
    pushers.sort();
    pushers.dedup();
    pushers.retain(|pusher| pusher != "No one");
    pushers
}

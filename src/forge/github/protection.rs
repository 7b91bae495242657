//! Branch protection of GitHub: classic rules, which only administrators see, and rulesets, which everyone sees.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::project::{GitHub, PAGE};
use crate::client::known;
use crate::error::Result;
use crate::values::{Known, Protection};
use crate::wire::{Call, Operation};

#[derive(Deserialize)]
struct Branch {
    protected: bool,
    protection: Option<Summary>,
}

#[derive(Deserialize)]
struct Summary {
    required_status_checks: Option<Checks>,
}

#[derive(Deserialize)]
struct Checks {
    #[serde(default)]
    contexts: Vec<String>,
}

#[derive(Deserialize)]
struct Classic {
    required_pull_request_reviews: Option<Reviews>,
    restrictions: Option<Restrictions>,
}

#[derive(Deserialize)]
struct Reviews {
    #[serde(default)]
    dismiss_stale_reviews: bool,
}

#[derive(Deserialize)]
struct Restrictions {
    users: Vec<Named>,
    teams: Vec<Named>,
    #[serde(default)]
    apps: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    #[serde(alias = "slug")]
    login: String,
}

/// A rule of a ruleset.
#[derive(Deserialize)]
struct Rule {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    parameters: Parameters,
}

#[derive(Deserialize, Default)]
struct Parameters {
    #[serde(default)]
    dismiss_stale_reviews_on_push: bool,
    #[serde(default)]
    required_status_checks: Vec<Required>,
}

#[derive(Deserialize)]
struct Required {
    context: String,
}

impl GitHub {
    /// Returns the protection of a branch.
    pub(crate) async fn protection(&self, branch: &str) -> Result<Protection> {
        let found: Branch = match self.known(&["branches", branch]).await? {
            Ok(found) => found,
            Err(why) => return Ok(Protection::unknown(&why)),
        };
        let call = Call::get(Operation::Protection, self.with(&["rules", "branches", branch], &[PAGE]));
        let rules: Known<Vec<Rule>> = known(self.client.linked(&call).await)?;
        let classic: Known<Classic> =
            if found.protected { self.known(&["branches", branch, "protection"]).await? } else { Err(String::new()) };
        let has_rules = rules.as_ref().is_ok_and(|rules| !rules.is_empty());
        if !found.protected && !has_rules {
            let pushers = vec!["everyone with write access".to_owned()];
            return Ok(rules.map_or_else(|why| Protection::unknown(&why), |_| Protection::none(Ok(pushers))));
        }
        let dismisses_by_rule = rules.as_ref().is_ok_and(|rules| {
            rules.iter().any(|rule| rule.kind == "pull_request" && rule.parameters.dismiss_stale_reviews_on_push)
        });
        let dismisses_stale = match (&rules, &classic) {
            _ if dismisses_by_rule => Ok(true),
            (Err(why), _) => Err(why.clone()),
            (Ok(_), Err(why)) if found.protected && !has_rules => Err(why.clone()),
            (Ok(_), classic) => Ok(classic.as_ref().is_ok_and(|classic| {
                classic.required_pull_request_reviews.as_ref().is_some_and(|reviews| reviews.dismiss_stale_reviews)
            })),
        };
        let mut contexts: Vec<String> = found
            .protection
            .and_then(|summary| summary.required_status_checks)
            .map_or_else(Vec::new, |checks| checks.contexts);
        let required_contexts = rules.map(|rules| {
            let by_rule = rules.into_iter().flat_map(|rule| rule.parameters.required_status_checks);
            contexts.extend(by_rule.map(|required| required.context));
            contexts.sort();
            contexts.dedup();
            contexts
        });
        let pushers = match classic {
            Ok(Classic { restrictions: Some(list), .. }) => {
                let teams = list.teams.into_iter().map(|team| format!("team {}", team.login));
                Ok(list.users.into_iter().chain(list.apps).map(|user| user.login).chain(teams).collect())
            }
            Ok(Classic { restrictions: None, .. }) => Ok(vec!["everyone with write access".to_owned()]),
            Err(why) if !why.is_empty() => Err(why),
            Err(_) => Err("GitHub does not list who may bypass a ruleset".to_owned()),
        };
        Ok(Protection { is_protected: Ok(true), pushers, required_contexts, dismisses_stale })
    }

    async fn known<T: DeserializeOwned>(&self, parts: &[&str]) -> Result<Known<T>> {
        known(self.client.json(&Call::get(Operation::Protection, self.at(parts))).await)
    }
}

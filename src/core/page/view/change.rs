//! Pull requests, with their plans.

use schemars::JsonSchema;
use serde::Serialize;

use crate::facts::Facts;
use tidegate_consent::{PullRecord, Standing};
use tidegate_model::forge::Account;
use tidegate_model::revision::CommitId;

/// The pull requests, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Changes {
    /// The pull requests.
    pub pulls: Vec<Pull>,
}

/// A pull request in a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pull {
    /// Its number.
    pub number: u64,
    /// Its title.
    pub title: String,
    /// Whether it is open.
    pub state: Standing,
    /// Its page on the forge.
    pub url: String,
    /// Whether its plan is known.
    pub planned: bool,
}

/// One pull request.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// Its number.
    pub number: u64,
    /// Its title.
    pub title: String,
    /// Whether it is open.
    pub state: Standing,
    /// Its page on the forge.
    pub url: String,
    /// Who opened it; empty if the account is gone.
    pub author: String,
    /// The newest commit of its branch.
    pub head: CommitId,
    /// Those who asked in a comment that a rollout starts.
    pub commented_by: Vec<String>,
    /// Its plan, as Markdown; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
}

/// Returns the pull requests.
pub(crate) fn changes(facts: &Facts) -> Changes {
    let plans = facts.journal.pull_facts().plans;
    let pull = |(number, record): (&u64, &PullRecord)| Pull {
        number: *number,
        title: record.title.clone(),
        state: record.state,
        url: record.url.clone(),
        planned: plans.contains_key(number),
    };
    Changes { pulls: facts.journal.pulls.iter().rev().map(pull).collect() }
}

/// Returns a pull request.
pub(crate) fn change(number: u64, facts: &Facts) -> Option<Change> {
    let record = facts.journal.pulls.get(&number)?;
    let login = |account: &Account| account.login.clone();
    let mut commented_by: Vec<String> = record.commands.iter().filter_map(|it| it.by.as_ref().map(login)).collect();
    commented_by.dedup();
    Some(Change {
        number,
        title: record.title.clone(),
        state: record.state,
        url: record.url.clone(),
        author: record.author.as_ref().map(login).unwrap_or_default(),
        head: record.head.clone(),
        commented_by,
        plan: facts.journal.pull_facts().plans.get(&number).cloned(),
    })
}

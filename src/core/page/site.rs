//! The pages by path, and the queries that they take.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::facts::Facts;
use crate::view::{View, about, change, cluster, clusters, fleet, history, rollout, start, versions};
use tidegate_model::document::API_VERSION;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{Rfc3339, Timestamp};

/// A page as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// `tidegate.io/v1alpha1`.
    #[schemars(extend("const" = API_VERSION))]
    pub api_version: &'static str,
    /// The commit of the journal that it was made from.
    pub commit: CommitId,
    /// When that commit was written.
    #[schemars(with = "Rfc3339")]
    pub written: Timestamp,
    /// Why the journal could not be read since; absent if it can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale: Option<String>,
    /// What the page shows.
    #[serde(flatten)]
    pub view: View,
}

/// The query of an address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query(pub Vec<(String, String)>);

impl Document {
    /// Returns what is wrong with the query; `None` if nothing is.
    pub fn problem(&self) -> Option<&str> {
        match &self.view {
            View::Clusters(table) => table.problem.as_deref(),
            View::History(history) => history.problem.as_deref(),
            _ => None,
        }
    }
}

/// A string that is not a moment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a time: write a day such as 2026-11-20, or a time such as 2026-11-20T14:00Z")]
struct NotATime(String);

impl Query {
    /// Returns the value of a name; empty if there is none.
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    fn page(&self) -> usize {
        self.get("page").parse().unwrap_or(1)
    }

    /// Returns a moment; `None` if there is none.
    fn time(&self, name: &str, is_end: bool) -> Result<Option<Timestamp>, NotATime> {
        match self.get(name).trim() {
            "" => Ok(None),
            text => moment(text, is_end).map(Some).ok_or_else(|| NotATime(text.to_owned())),
        }
    }
}

/// Returns a moment: a timestamp, also without seconds or the letters, which is UTC, or the begin or the end of a day.
pub fn moment(text: &str, is_end: bool) -> Option<Timestamp> {
    let text = text.trim().replacen(' ', "T", 1);
    let day = if is_end { "T23:59:59Z" } else { "T00:00:00Z" };
    let forms =
        [text.clone(), format!("{text}Z"), format!("{}:00Z", text.trim_end_matches('Z')), format!("{text}{day}")];
    forms.iter().find_map(|form| form.parse().ok())
}

/// There is no such page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotFound(pub String);

/// Returns the page at a path.
///
/// # Errors
/// [`NotFound`] if there is none.
pub fn document(facts: &Facts, path: &str, query: &Query, now: Timestamp) -> Result<Document, NotFound> {
    let parts: Vec<&str> = if path.is_empty() { Vec::new() } else { path.split('/').collect() };
    let unknown = |what: &str, name: &str| NotFound(format!("the journal has no {what} {name:?}"));
    let view = match parts.as_slice() {
        [] => View::Start(start::start(facts, now)),
        ["rollouts", unit @ ..] => {
            let (unit, number) = match unit {
                ["application", namespace, name, rest @ ..] => (format!("application/{namespace}/{name}"), rest),
                [addon, rest @ ..] => ((*addon).to_owned(), rest),
                [] => (String::new(), unit),
            };
            let name = unit.parse().ok();
            let found = match number {
                [] => name.and_then(|name| rollout::rollout(&name, None, facts, now)),
                [number] => {
                    let named = name.zip(number.parse().ok());
                    named.and_then(|(name, number)| rollout::rollout(&name, Some(number), facts, now))
                }
                _ => None,
            };
            let what = if number.is_empty() { "rollout of" } else { "rollout" };
            let shown = [&[unit.as_str()], number].concat().join(" ");
            View::Rollout(Box::new(found.ok_or_else(|| unknown(what, &shown))?))
        }
        ["fleet"] => View::Fleet(fleet::fleet(facts)),
        ["clusters"] => View::Clusters(clusters::table(facts, query.get("filter"), query.page())),
        ["clusters", name] => {
            let found = name.parse().ok().and_then(|name| cluster::cluster(&name, facts));
            View::Cluster(Box::new(found.ok_or_else(|| unknown("cluster", name))?))
        }
        ["versions"] => View::Versions(versions::versions(facts)),
        ["history"] => View::History(history::history(facts, wanted(query), query.page())),
        ["changes"] => View::Changes(change::changes(facts)),
        ["changes", number] => {
            let found = number.parse().ok().and_then(|number| change::change(number, facts));
            View::Change(Box::new(found.ok_or_else(|| unknown("pull request", number))?))
        }
        ["about"] => View::About(Box::new(about::about(facts))),
        _ => return Err(NotFound(format!("there is no page {path:?}"))),
    };
    let (commit, written) = (facts.moment.commit.clone(), facts.moment.at);
    Ok(Document { api_version: API_VERSION, commit, written, stale: None, view })
}

/// Returns the paths of all pages, for an export.
pub fn paths(facts: &Facts) -> Vec<String> {
    let mut paths: Vec<String> =
        ["", "fleet", "clusters", "versions", "history", "changes", "about"].map(str::to_owned).into();
    for story in &facts.history.rollouts {
        paths.push(format!("rollouts/{}/{}", story.addon, story.rollout.number));
    }
    let listed = facts.journal.lists.values().flat_map(|list| list.keys());
    let members = facts.history.rollouts.iter().flat_map(|story| story.members().map(|member| &member.cluster));
    let names: BTreeSet<_> = listed.chain(members).collect();
    let with_rollouts = facts.history.rollouts.iter().map(|story| &story.addon);
    let addons: BTreeSet<_> = facts.journal.addons.keys().chain(with_rollouts).collect();
    paths.extend(addons.into_iter().map(|addon| format!("rollouts/{addon}")));
    paths.extend(names.into_iter().map(|name| format!("clusters/{name}")));
    paths.extend(facts.journal.pulls.keys().map(|number| format!("changes/{number}")));
    paths
}

fn wanted(query: &Query) -> Result<history::Wanted, NotATime> {
    Ok(history::Wanted {
        addon: query.get("addon").to_owned(),
        cluster: query.get("cluster").to_owned(),
        person: query.get("person").to_owned(),
        since: query.time("since", false)?,
        until: query.time("until", true)?,
    })
}

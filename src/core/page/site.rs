//! The pages by path, and the queries that they take.

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
    /// What the page shows.
    #[serde(flatten)]
    pub view: View,
}

/// The query of an address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query(pub Vec<(String, String)>);

impl Query {
    /// Returns the value of a name; empty if there is none.
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    fn page(&self) -> usize {
        self.get("page").parse().unwrap_or(1)
    }

    /// Returns a moment: a timestamp, or the begin of a day. `None` if there is none or it cannot be read.
    fn time(&self, name: &str) -> Option<Timestamp> {
        let text = self.get(name);
        text.parse().or_else(|_| format!("{text}T00:00:00Z").parse()).ok()
    }
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
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let unknown = |what: &str, name: &str| NotFound(format!("the journal has no {what} {name:?}"));
    let view = match parts.as_slice() {
        [] => View::Start(start::start(facts, now)),
        ["rollouts", addon] => {
            let found = addon.parse().ok().and_then(|name| rollout::rollout(&name, None, facts, now));
            View::Rollout(Box::new(found.ok_or_else(|| unknown("rollout of", addon))?))
        }
        ["rollouts", addon, number] => {
            let name = addon.parse().ok().zip(number.parse().ok());
            let found = name.and_then(|(name, number)| rollout::rollout(&name, Some(number), facts, now));
            View::Rollout(Box::new(found.ok_or_else(|| unknown("rollout", &format!("{addon} {number}")))?))
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
    Ok(Document { api_version: API_VERSION, commit, written, view })
}

/// Returns the paths of all pages, for an export.
pub fn paths(facts: &Facts) -> Vec<String> {
    let mut paths: Vec<String> =
        ["", "fleet", "clusters", "versions", "history", "changes", "about"].map(str::to_owned).into();
    for story in &facts.history.rollouts {
        paths.push(format!("rollouts/{}/{}", story.addon, story.rollout.number));
    }
    let names: std::collections::BTreeSet<_> = facts.journal.lists.values().flat_map(|list| list.keys()).collect();
    paths.extend(facts.journal.addons.keys().map(|addon| format!("rollouts/{addon}")));
    paths.extend(names.into_iter().map(|name| format!("clusters/{name}")));
    paths.extend(facts.journal.pulls.keys().map(|number| format!("changes/{number}")));
    paths
}

fn wanted(query: &Query) -> history::Wanted {
    history::Wanted {
        addon: query.get("addon").to_owned(),
        cluster: query.get("cluster").to_owned(),
        person: query.get("person").to_owned(),
        since: query.time("since"),
        until: query.time("until"),
    }
}

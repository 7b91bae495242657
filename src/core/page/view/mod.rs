//! What each page shows, as plain values. They are written as HTML and as JSON.
pub mod about;
pub mod change;
pub mod cluster;
pub mod clusters;
pub mod fleet;
pub mod history;
pub mod need;
pub mod release;
pub mod rollout;
pub mod start;
pub mod versions;
pub mod waiting;
pub mod waves;

use schemars::JsonSchema;
use serde::Serialize;

/// What a page shows.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind")]
pub enum View {
    /// What needs people, what is under way, and what is quiet.
    Start(start::Start),
    /// One rollout.
    Rollout(Box<rollout::RolloutView>),
    /// Add-ons and clusters, one cell each.
    Fleet(fleet::Fleet),
    /// Add-ons on clusters, as a table.
    Clusters(clusters::Table),
    /// The versions of each add-on.
    Versions(versions::Versions),
    /// One cluster.
    Cluster(Box<cluster::ClusterView>),
    /// All rollouts.
    History(history::HistoryView),
    /// The pull requests.
    Changes(change::Changes),
    /// One pull request.
    Change(Box<change::Change>),
    /// Tidegate itself.
    About(Box<about::About>),
}

//! What each page shows, as plain values. They are written as HTML and as JSON.
pub mod about;
pub mod change;
pub mod cluster;
pub mod clusters;
pub mod fleet;
pub mod history;
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

impl View {
    /// Returns the title of the page.
    pub fn title(&self) -> String {
        match self {
            Self::Start(_) => "Needs you".to_owned(),
            Self::Rollout(rollout) => format!("{} rollout {}", rollout.addon, rollout.number),
            Self::Fleet(_) => "Fleet".to_owned(),
            Self::Clusters(_) => "Clusters".to_owned(),
            Self::Versions(_) => "Versions".to_owned(),
            Self::Cluster(cluster) => cluster.name.to_string(),
            Self::History(_) => "History".to_owned(),
            Self::Changes(_) => "Changes".to_owned(),
            Self::Change(change) => format!("#{} {}", change.number, change.title),
            Self::About(_) => "About".to_owned(),
        }
    }
}

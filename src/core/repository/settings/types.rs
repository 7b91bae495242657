//! The settings of a repository.

use serde::{Deserialize, Serialize};

use tidegate_consent::People;
use tidegate_kustomize::overlay::Options;
use tidegate_model::semantics::{Rules, Semantics, SoakDip};

/// Name of the settings file, at the root of the repository.
pub const SETTINGS_FILE: &str = "tidegate.toml";

/// The settings of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// Directory of the objects, relative to the root, without leading or trailing `/`; `.` is the root.
    pub path: String,
    /// The engine that decides.
    pub semantics: Semantics,
    /// What happens to a cluster that becomes unhealthy during its soak time.
    pub soak_dip: SoakDip,
    /// Branch to which status files are committed.
    pub journal_branch: String,
    /// Whether the journal has the fleet, so that a plan can be made without the hub.
    pub journal_fleet: bool,
    /// What happens to objects that left the repository.
    pub prune: Prune,
    /// What rendering an overlay does beyond kustomize.
    pub render: Options,
    /// Whether applications are rolled out.
    #[serde(default, skip_serializing_if = "Applications::is_off")]
    pub applications: Applications,
    /// The people who may approve changes.
    #[serde(skip)]
    pub people: People,
}

/// What happens to the Applications of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Applications {
    /// Whether they are rolled out. Otherwise an Application is an object like any other.
    pub enabled: bool,
    /// How long a cluster may take if the policy that selects it has no strategy, in minutes; 0 for any time.
    #[serde(default)]
    pub deadline_minutes: u32,
    /// Who carries out the batches of the trait `rollout`.
    #[serde(default, skip_serializing_if = "Executor::is_default")]
    pub rollout: Executor,
    /// Which images are refused, because a registry may give another content for them.
    #[serde(default, skip_serializing_if = "Images::is_default")]
    pub images: Images,
    /// What work agents may do beyond every agent's rights.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub granted: Vec<Grant>,
}

impl Default for Applications {
    fn default() -> Self {
        Self {
            enabled: false,
            deadline_minutes: 30,
            rollout: Executor::default(),
            images: Images::default(),
            granted: Vec::new(),
        }
    }
}

/// Who carries out the batches inside a cluster that the trait `rollout` of a component declares.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Executor {
    /// The Deployment itself, by its update strategy.
    #[default]
    #[serde(rename = "strategy")]
    Strategy,
    /// The controller of `standard.oam.dev` on the cluster, by a Rollout and a ControllerRevision.
    #[serde(rename = "standard.oam.dev")]
    Standard,
}

impl Executor {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Which images applications may use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Images {
    /// All.
    #[default]
    Any,
    /// Those with a tag other than `latest`, or with a digest.
    PinnedTag,
    /// Those with a digest.
    Digest,
}

impl Images {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A right that the work agents of clusters have beyond those of every agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Grant {
    /// The API groups; `*` is any.
    pub groups: Vec<String>,
    /// The resources; `*` is any.
    pub resources: Vec<String>,
    /// The verbs; `*` is any.
    pub verbs: Vec<String>,
    /// The set of the clusters whose agents have it; `None` for all clusters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster_set: Option<String>,
}

impl Applications {
    fn is_off(&self) -> bool {
        !self.enabled
    }
}

/// What happens to objects that left the repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Prune {
    /// Whether they are removed from the hub.
    pub enabled: bool,
    /// Maximum percentage, from 0 to 100, of the owned objects that may be removed at once, and of the clusters of one add-on that
    /// may lose it at once.
    pub max_percent: u8,
    /// Maximum number of clusters of one add-on that may lose it at once, regardless of the percentage.
    pub max_clusters: usize,
    /// Whether an add-on is removed from clusters only after the clusters that get it in the same change are healthy. Strict only:
    /// upstream removes it at once.
    pub wait_for_installs: bool,
    /// How long the set of clusters that will lose an add-on must stay the same before the first one loses it, in seconds. Changes
    /// within this time count as one removal, so that the brake sees all of them.
    pub settle_seconds: u32,
    /// Revisions whose held removals are confirmed, each as a commit or at least its first 7 digits.
    pub confirm: Vec<String>,
}

impl Settings {
    /// Returns the rules that apply to this repository.
    pub fn rules(&self) -> Rules {
        Rules::of(self.semantics, self.soak_dip)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            path: ".".to_owned(),
            semantics: Semantics::Strict,
            soak_dip: SoakDip::Restart,
            journal_branch: "tidegate/journal".to_owned(),
            journal_fleet: true,
            prune: Prune::default(),
            render: Options::default(),
            applications: Applications::default(),
            people: People::default(),
        }
    }
}

impl Default for Prune {
    fn default() -> Self {
        Self {
            enabled: true,
            max_percent: 20,
            max_clusters: 100,
            wait_for_installs: true,
            settle_seconds: 10,
            confirm: Vec::new(),
        }
    }
}

/// Converts a directory to the form of [`Settings::path`], or returns what is wrong with it.
pub(super) fn normal_path(path: &str) -> Result<String, &'static str> {
    if path.starts_with('/') {
        return Err("is absolute; write it relative to the root of the repository");
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if parts.contains(&"..") {
        return Err("leads out of the repository; write it without \"..\"");
    }
    Ok(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}

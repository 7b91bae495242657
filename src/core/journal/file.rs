//! The files of a journal: their paths, and what a path names.

use crate::pulls::PullFile;
use tidegate_model::name::UnitName;

/// The folder of the add-ons.
const ADDONS: &str = "addons/";
/// The page of a journal.
pub const PAGE: &str = "README.md";
/// The record of the fleet.
pub const FLEET: &str = "fleet.yaml";
/// The file about what is followed.
pub const SYNC: &str = "sync.yaml";

/// A file of a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JournalFile {
    /// `README.md`.
    Page,
    /// `sync.yaml`.
    Sync,
    /// `fleet.yaml`.
    Fleet,
    /// `addons/<add-on>/status.yaml`.
    Status(UnitName),
    /// `addons/<add-on>/clusters.yaml`.
    Clusters(UnitName),
    /// `addons/<add-on>/rollouts/<n>.yaml`.
    Sealed(UnitName, u32),
    /// `pulls/<n>.yaml` or `pulls/<n>.md`.
    Pull(PullFile),
}

impl JournalFile {
    /// Returns the file that a path names; `None` for any other path.
    pub fn of(path: &str) -> Option<Self> {
        match path {
            PAGE => return Some(Self::Page),
            SYNC => return Some(Self::Sync),
            FLEET => return Some(Self::Fleet),
            _ => {}
        }
        let Some((name, file)) = path.strip_prefix(ADDONS).and_then(|path| path.split_once('/')) else {
            return PullFile::of(path).map(Self::Pull);
        };
        let name: UnitName = name.parse().ok()?;
        match file {
            "status.yaml" => Some(Self::Status(name)),
            "clusters.yaml" => Some(Self::Clusters(name)),
            file => {
                let number = file.strip_prefix("rollouts/")?.strip_suffix(".yaml")?.parse().ok()?;
                // `01.yaml` and `+1.yaml` name the same number.
                let is_plain = number > 0 && path == sealed(&name, number);
                is_plain.then_some(Self::Sealed(name, number))
            }
        }
    }
}

/// Returns `true` for the status and the clusters of a folder whose name is not valid.
pub fn is_stray(path: &str) -> bool {
    let file = path.strip_prefix(ADDONS).and_then(|path| path.split_once('/')).map(|(_, file)| file);
    matches!(file, Some("status.yaml" | "clusters.yaml")) && JournalFile::of(path).is_none()
}

/// Returns the folder of an add-on, with a slash at its end.
pub fn folder(addon: &UnitName) -> String {
    format!("{ADDONS}{addon}/")
}

/// Returns the path of the status of an add-on.
pub fn status(addon: &UnitName) -> String {
    format!("{ADDONS}{addon}/status.yaml")
}

/// Returns the path of the clusters of an add-on.
pub fn clusters(addon: &UnitName) -> String {
    format!("{ADDONS}{addon}/clusters.yaml")
}

/// Returns the path of a rollout that has ended.
pub fn sealed(addon: &UnitName, number: u32) -> String {
    format!("{ADDONS}{addon}/rollouts/{number}.yaml")
}

//! The files of a journal: their paths, and what a path names.

use crate::pulls::PullFile;
use tidegate_model::name::UnitName;

/// The folder of the add-ons.
const ADDONS: &str = "addons/";
/// The folder of the applications, which has one for each namespace.
const APPLICATIONS: &str = "applications/";
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
    /// `addons/<add-on>/status.yaml`, or `applications/<namespace>/<name>/status.yaml`.
    Status(UnitName),
    /// `clusters.yaml` beside it.
    Clusters(UnitName),
    /// `rollouts/<n>.yaml` beside it.
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
        let Some((name, file)) = split(path) else { return PullFile::of(path).map(Self::Pull) };
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

/// Splits the path of a file of a unit into the name of the unit, which may not be valid, and the path in its folder.
fn split(path: &str) -> Option<(String, &str)> {
    if let Some((name, file)) = path.strip_prefix(ADDONS).and_then(|path| path.split_once('/')) {
        return Some((name.to_owned(), file));
    }
    let (namespace, rest) = path.strip_prefix(APPLICATIONS)?.split_once('/')?;
    let (name, file) = rest.split_once('/')?;
    Some((format!("application/{namespace}/{name}"), file))
}

/// Returns `true` for the status and the clusters of a folder whose name is not valid.
pub fn is_stray(path: &str) -> bool {
    let file = split(path).map(|(_, file)| file);
    matches!(file, Some("status.yaml" | "clusters.yaml")) && JournalFile::of(path).is_none()
}

/// Returns the folder of a unit, with a slash at its end.
pub fn folder(unit: &UnitName) -> String {
    let of_kind = if unit.addon().is_some() { ADDONS } else { "" };
    format!("{of_kind}{}/", unit.path())
}

/// Returns the path of the status of a unit.
pub fn status(unit: &UnitName) -> String {
    format!("{}status.yaml", folder(unit))
}

/// Returns the path of the clusters of a unit.
pub fn clusters(unit: &UnitName) -> String {
    format!("{}clusters.yaml", folder(unit))
}

/// Returns the path of a rollout that has ended.
pub fn sealed(unit: &UnitName, number: u32) -> String {
    format!("{}rollouts/{number}.yaml", folder(unit))
}

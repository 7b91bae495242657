//! `tidegate.toml`: how a repository wants to be read.

use serde::Deserialize;

use super::complaint::{Complaint, Place};
use crate::model::decision::Semantics;

/// Path of the settings, from the root of the repository.
pub(super) const FILE: &str = "tidegate.toml";

/// How a repository wants to be read. Everything has a default, and so has the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Where the declarations are.
    pub repository: RepositorySettings,
    /// How clusters are rolled out.
    pub rollout: RolloutSettings,
    /// Where the journal goes.
    pub journal: JournalSettings,
    /// Whether what left the repository leaves the hub.
    pub prune: PruneSettings,
}

/// Where the declarations are.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RepositorySettings {
    /// The directory of declarations. Default `.`.
    pub path: String,
}

/// How clusters are rolled out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RolloutSettings {
    /// `strict` (the default) or `compat`.
    pub semantics: Semantics,
}

/// Where the journal goes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JournalSettings {
    /// The branch. Default `tidegate/journal`.
    pub branch: String,
}

/// Whether what left the repository leaves the hub.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PruneSettings {
    /// Whether it does. Default true.
    pub enabled: bool,
    /// The largest share of the declared objects that is removed at once, in per cent. Default 20.
    pub max_percent: u8,
}

impl Default for RepositorySettings {
    fn default() -> Self {
        Self { path: ".".to_owned() }
    }
}

impl Default for JournalSettings {
    fn default() -> Self {
        Self { branch: "tidegate/journal".to_owned() }
    }
}

impl Default for PruneSettings {
    fn default() -> Self {
        Self { enabled: true, max_percent: 20 }
    }
}

/// Reads the settings; what cannot be read is told, and the defaults hold.
pub(super) fn read(bytes: Option<&[u8]>) -> (Settings, Option<Complaint>) {
    let Some(bytes) = bytes else { return (Settings::default(), None) };
    let whole = Place { file: FILE.to_owned(), line: 0, column: 0 };
    let Ok(text) = std::str::from_utf8(bytes) else {
        return (Settings::default(), Some(Complaint::error(whole, "the file is not UTF-8; save it as UTF-8", None)));
    };
    match toml::from_str::<Settings>(text) {
        Ok(settings) if settings.prune.max_percent > 100 => {
            let message = format!("prune.max_percent is {}; write a number from 0 to 100", settings.prune.max_percent);
            (Settings::default(), Some(Complaint::error(whole, message, None)))
        }
        Ok(settings) => (settings, None),
        Err(error) => {
            let offset = error.span().map_or(0, |span| span.start);
            let before = text.get(..offset).unwrap_or(text);
            let line_start = before.rfind('\n').map_or(0, |i| i + 1);
            let column = before.get(line_start..).unwrap_or_default().chars().count() + 1;
            let place = Place { file: FILE.to_owned(), line: before.matches('\n').count() + 1, column };
            (Settings::default(), Some(Complaint::error(place, error.message().replace('\n', " "), None)))
        }
    }
}

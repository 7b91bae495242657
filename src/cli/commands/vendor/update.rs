//! What a run resolves and renders again.

use std::collections::BTreeSet;

use super::change::source;
use crate::cli::args::VendorArgs;
use crate::cli::failure::Failure;
use tidegate_kustomize::vendor::{Lock, Need};
use tidegate_model::near::remedy;
use tidegate_repository::Rendering;

/// What is resolved again.
pub(super) enum Update {
    Nothing,
    Everything,
    Named(String),
}

impl Update {
    /// Reads the argument. A name must be that of something that is vendored.
    pub(super) fn of(args: &VendorArgs, lock: &Lock) -> Result<Self, Failure> {
        let name = match args.update.as_deref() {
            None => return Ok(Self::Nothing),
            Some("") => return Ok(Self::Everything),
            Some(name) => name.trim_end_matches('/').to_owned(),
        };
        let entries = &lock.entries;
        let of_entries = entries.iter().map(|entry| source(&entry.what));
        let applications = lock.applications.iter().flat_map(|known| [known.app.clone(), known.file.clone()]);
        let sources: BTreeSet<String> = of_entries.chain(applications).collect();
        if sources.contains(&name) || entries.iter().any(|entry| entry.directory == name) {
            return Ok(Self::Named(name));
        }
        let remedy = remedy(&name, sources.iter().map(String::as_str));
        Err(Failure::Usage(format!("--update {name}: nothing of that name is vendored; {remedy}")))
    }

    /// Returns `true` if an application is rendered again.
    pub(super) fn selects_application(&self, rendering: &Rendering) -> bool {
        match self {
            Self::Nothing => false,
            Self::Everything => true,
            Self::Named(name) => [&rendering.app, &rendering.target].contains(&name),
        }
    }

    /// Returns `true` if a source is resolved again.
    pub(super) fn selects(&self, need: &Need) -> bool {
        match self {
            Self::Nothing => false,
            Self::Everything => true,
            Self::Named(name) => need.wanted.name() == name || need.state.directory() == Some(name),
        }
    }
}

//! What the work agents of clusters lack to apply applications.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::finding::{harmless, prefix};
use super::github;
use tidegate_model::diagnostic::Place;
use tidegate_model::name::UnitName;
use tidegate_repository::{Lacking, Loaded, Rights, Source};

/// An application that needs more than work agents have by default.
#[derive(Debug)]
pub(super) struct Needy {
    name: UnitName,
    place: Place,
    lacking: Lacking,
}

/// Returns the applications of everything that was loaded that need more than work agents have. One that several overlays share is listed once.
pub(super) fn needy(loaded: &[(String, Loaded)]) -> Vec<Needy> {
    let mut found: BTreeMap<(UnitName, Vec<String>), Needy> = BTreeMap::new();
    for (_, Loaded { repository, .. }) in loaded {
        let rights = Rights::of(repository);
        for (name, unit) in repository.addons.iter() {
            let (Source::Application(application), Some(lacking)) = (&unit.source, rights.lacking(name)) else {
                continue;
            };
            let notes = lacking.notes(name);
            if !notes.is_empty() {
                let needy = Needy { name: name.clone(), place: application.place.clone(), lacking };
                found.insert((name.clone(), notes), needy);
            }
        }
    }
    found.into_values().collect()
}

/// Returns the data for programs.
pub(super) fn data(all: &[Needy]) -> Value {
    let entry = |Needy { name, place, lacking }: &Needy| json!({ "application": name, "place": place, "components": lacking.components, "guessed": lacking.guessed });
    all.iter().map(entry).collect()
}

/// Returns one command per application for the log of a GitHub workflow, which shows it as a notice.
pub(super) fn notices(root: &Path, all: &[Needy]) -> String {
    let prefix = prefix(root);
    let notice = |needy: &Needy| {
        let file = format!("{prefix}{}", needy.place.file);
        let message = harmless(&needy.lacking.notes(&needy.name).join("; "));
        github::notice(&file, &needy.place, "tidegate work agents", &message)
    };
    all.iter().map(notice).collect()
}

/// Returns the lines for people; empty if work agents have everything.
pub(super) fn section(all: &[Needy]) -> String {
    let line = |needy: &Needy| {
        let notes = needy.lacking.notes(&needy.name).into_iter();
        notes.map(|note| format!("note: {}: {}\n", needy.place, harmless(&note))).collect::<String>()
    };
    all.iter().map(line).collect()
}

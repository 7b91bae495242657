//! The entries of an AppDeployment: which clusters they select.

use std::collections::BTreeMap;

use super::metadata;
use super::schema::conform;
use crate::application::{Entry, MOST_ENTRIES, REVISION_ONLY, entries, revision_only};
use crate::check::strategy::STRATEGY_SCHEMA;
use crate::read::notes::Notes;
use crate::read::object::{Object, path};
use tidegate_api::schema::path::Path;
use tidegate_kustomize::yaml::Origin;
use tidegate_model::name::ClusterName;

/// The longest name of a Placement that has decisions.
const LONGEST: usize = 63;

/// Adds the problems of an AppDeployment that its schema does not show.
pub(in crate::check) fn check(notes: &mut Notes<'_>) {
    let object = notes.object;
    metadata::names(notes);
    if revision_only(object).is_some() {
        let at = path(&["metadata", "annotations"]).member(REVISION_ONLY);
        let message =
            format!("{at} has no effect on an AppDeployment, which would be rolled out; remove one of the two");
        notes.error(object.value_origin(&at), message);
    }
    let traffic = path(&["spec", "traffic"]);
    if object.value.pointer("/spec/traffic").is_some() {
        let message = format!("{traffic} is not supported: Tidegate does not split traffic; remove it");
        notes.error(object.key_origin(&traffic), message);
    }
    if let Some((given, schema)) = object.value.pointer("/spec/rolloutStrategy").zip(*STRATEGY_SCHEMA) {
        conform(notes, (&path(&["spec", "rolloutStrategy"]), given), schema);
    }
    let entries = entries(&object.value);
    if entries.len() > MOST_ENTRIES {
        let message =
            format!("the AppDeployment has {} entries; {MOST_ENTRIES} are allowed, so split it", entries.len());
        return notes.error(object.origin_of(&["spec", "appRevisions"]), message);
    }
    for entry in &entries {
        selector(notes, entry);
    }
    repeated(notes, &entries);
}

/// Adds the problems of a selector.
fn selector(notes: &mut Notes<'_>, entry: &Entry) {
    let object = notes.object;
    let at = entry.at.member("clusterSelector");
    let name = at.member("name");
    match &entry.selector.name {
        None if entry.selector.labels.is_empty() => {
            let message = format!("{at} selects no cluster; write a name, labels, or both");
            notes.error(object.value_origin(&at), message);
        }
        Some(cluster) if cluster.parse::<ClusterName>().is_err() => {
            let message = format!("{name} is {cluster:?}, which is not the name of a cluster; correct it");
            notes.error(object.value_origin(&name), message);
        }
        _ => {}
    }
    let placement = entry.placement(&object.key.name);
    if placement.len() > LONGEST {
        let message = format!(
            "{at} makes Placement {placement}, whose name has more than {LONGEST} characters; shorten the name of the AppDeployment, or \
             select the cluster by labels"
        );
        notes.error(object.value_origin(&at), message);
    }
}

/// Adds a complaint about each entry that selects the same clusters as one before it.
fn repeated(notes: &mut Notes<'_>, entries: &[Entry]) {
    let object = notes.object;
    let mut first: BTreeMap<String, Origin> = BTreeMap::new();
    for entry in entries {
        let selector = &entry.selector;
        let labels = || selector.labels.iter().map(|(label, value)| format!("{label}={value}")).collect::<Vec<_>>();
        let selected = selector.name.clone().unwrap_or_else(|| labels().join(","));
        let origin = origin(object, entry);
        match first.get(&selected).filter(|_| !selected.is_empty()) {
            Some(earlier) => notes.error(origin, twice(object, &selected, (*earlier, origin))),
            None => drop(first.insert(selected, origin)),
        }
    }
}

/// Returns where an entry says which clusters it selects.
pub(crate) fn origin(object: &Object, entry: &Entry) -> Origin {
    let selector: Path = entry.at.member("clusterSelector");
    let member = if entry.selector.name.is_some() { "name" } else { "labels" };
    object.value_origin(&selector.member(member))
}

/// Returns the complaint that two entries select the same clusters.
pub(crate) fn twice(object: &Object, selected: &str, (first, second): (Origin, Origin)) -> String {
    let [first, second] = [first, second].map(|origin| object.place_of(origin));
    let places = match first.file == second.file {
        true => format!("lines {} and {}", first.line, second.line),
        false => format!("{first} and {second}"),
    };
    format!("{selected} is selected twice: {places}; keep one of the two")
}

//! The entries of AppDeployments and the ManagedClusters that the repository declares.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::application::Entry;
use crate::assemble::index::Index;
use crate::check::application::entries::{origin, twice};
use crate::read::notes::Notes;
use tidegate_api::object_key;
use tidegate_model::object::ObjectKey;

/// The labels of the clusters that a repository declares, by name.
pub(super) type Clusters = BTreeMap<String, BTreeMap<String, String>>;

/// Returns the declared clusters with their labels.
pub(super) fn of(index: &Index<'_>) -> Clusters {
    let from = object_key::cluster("");
    let declared = index.by_key.range::<ObjectKey, _>(&from..);
    let declared = declared.take_while(|(key, _)| key.group == from.group && key.kind == from.kind);
    let labels = |value: &Value| {
        let labels = value.pointer("/metadata/labels").and_then(Value::as_object).into_iter().flatten();
        labels.filter_map(|(label, value)| Some((label.clone(), value.as_str()?.to_owned()))).collect()
    };
    declared.map(|(key, object)| (key.name.clone(), labels(&object.value))).collect()
}

/// Adds a complaint about a cluster that an entry names and that is declared with other labels. Labels that are not declared may be on the
/// hub.
pub(super) fn check_labels(notes: &mut Notes<'_>, entry: &Entry, clusters: &Clusters) {
    let Some((name, labels)) = entry.selector.name.as_ref().and_then(|name| clusters.get_key_value(name)) else {
        return;
    };
    let object = notes.object;
    let at = entry.at.member("clusterSelector").member("labels");
    for (label, asked) in &entry.selector.labels {
        let origin = object.value_origin(&at.member(label));
        let asks = format!("but the selector asks for {label}={asked}");
        match labels.get(label) {
            Some(value) if value == asked => {}
            Some(value) => {
                let message = format!("{name} has label {label}={value}, {asks}; correct one of the two");
                notes.error(origin, message);
            }
            None => {
                let message = format!("{name} is declared without label {label}, {asks}; add it, unless the hub does");
                notes.warning(origin, message);
            }
        }
    }
}

/// Adds a complaint about each two entries that select the same declared cluster.
pub(super) fn check_overlaps(notes: &mut Notes<'_>, entries: &[Entry], clusters: &Clusters) {
    let object = notes.object;
    let mut known: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (cluster, labels) in clusters {
        let selects = |(_, entry): &(usize, &Entry)| entry.selector.selects(cluster, labels);
        let mut selecting = entries.iter().enumerate().filter(selects);
        let Some((first, one)) = selecting.next() else { continue };
        for (second, other) in selecting {
            // Entries with the same name are reported without the clusters.
            let is_same = one.selector.name.is_some() && one.selector.name == other.selector.name;
            if !is_same && one.selector != other.selector && known.insert((first, second)) {
                let (before, origin) = (origin(object, one), origin(object, other));
                notes.error(origin, twice(object, cluster, (before, origin)));
            }
        }
    }
}

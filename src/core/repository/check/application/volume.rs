//! The volumes of a component.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::application::volume::{Mounted, mounted, own_fields, source_field};
use crate::read::notes::Notes;
use tidegate_api::schema::path::Path;

/// Adds the problems of volumes that a schema does not show.
pub(super) fn check(notes: &mut Notes<'_>, at: &Path, properties: &Value) {
    let Some(properties) = properties.as_object() else { return };
    let object = notes.object;
    if properties.contains_key("volumes") && properties.contains_key("volumeMounts") {
        let at = at.member("volumes");
        notes.error(object.key_origin(&at), format!("{at} has no effect beside volumeMounts; remove it"));
    }
    let mut sources: BTreeMap<&str, (Path, Value)> = BTreeMap::new();
    let mut paths: BTreeMap<&str, Path> = BTreeMap::new();
    let volumes = mounted(properties);
    for volume in &volumes {
        let at = Path(at.0.iter().chain(&volume.at.0).cloned().collect());
        if properties.contains_key("volumes") {
            fields(notes, &at, volume);
        }
        let source = volume.source();
        match sources.get(volume.name()) {
            Some((first, other)) if *other != source => {
                let at = at.member("name");
                let message =
                    format!("{at} is also the name of the volume at {first}, with another source; rename one");
                notes.error(object.value_origin(&at), message);
            }
            Some(_) => {}
            None => drop(sources.insert(volume.name(), (at.clone(), source))),
        }
        let Some(path) = volume.given.get("mountPath").and_then(Value::as_str) else { continue };
        match paths.get(path) {
            Some(first) => {
                let at = at.member("mountPath");
                let message = format!("{at} is {path}, like that of {first}; choose another path for one of the two");
                notes.error(object.value_origin(&at), message);
            }
            None => drop(paths.insert(path, at)),
        }
    }
}

/// Adds the problems of the fields of a volume, which depend on its type.
fn fields(notes: &mut Notes<'_>, at: &Path, volume: &Mounted<'_>) {
    let object = notes.object;
    if let Some(field) = source_field(volume.kind).filter(|field| volume.given.get(field).is_none()) {
        let at = at.member(field);
        notes.error(object.key_origin(&at), format!("{at} is missing; a volume of type {} needs it", volume.kind));
    }
    let others = ["pvc", "configMap", "secret", "emptyDir"].into_iter().filter(|kind| *kind != volume.kind);
    let is_known = |field: &str| own_fields(volume.kind).any(|own| own == field);
    let foreign: BTreeSet<&str> = others.flat_map(own_fields).filter(|field| !is_known(field)).collect();
    for field in foreign.into_iter().filter(|field| volume.given.get(field).is_some()) {
        let at = at.member(field);
        let message = format!("{at} has no effect on a volume of type {}; remove it, or change the type", volume.kind);
        notes.error(object.key_origin(&at), message);
    }
}

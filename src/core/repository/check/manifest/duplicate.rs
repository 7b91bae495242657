//! Finds objects that are in a template twice.
//!
//! # Source
//! OCM sdk-go work builder: it keeps manifests by group, kind, namespace and name, and a later one replaces an earlier one.

use std::collections::BTreeMap;

use super::{Manifest, Problems};

/// Adds a warning for each manifest that replaces an earlier one.
pub(super) fn check<'a>(manifests: impl Iterator<Item = Manifest<'a>>, problems: &mut Problems) {
    let mut seen: BTreeMap<[&str; 4], Manifest<'_>> = BTreeMap::new();
    for manifest in manifests {
        let text = |field: &str| manifest.value.get("metadata")?.get(field)?.as_str();
        let (Some(name), namespace) = (text("name"), text("namespace").unwrap_or_default()) else { continue };
        let identity = [manifest.group, manifest.kind, namespace, name];
        if let Some(earlier) = seen.insert(identity, manifest) {
            let origin = |of: Manifest<'_>| of.template.value_origin(of.at);
            let place = manifest.template.place_of(origin(earlier));
            let named = if namespace.is_empty() { name.to_owned() } else { format!("{namespace}/{name}") };
            problems.warning(origin(manifest), || {
                format!(
                    "{} is the {} {named} again, which is also at {place}; only the last one is deployed, so remove one of the two",
                    manifest.at, manifest.kind
                )
            });
        }
    }
}

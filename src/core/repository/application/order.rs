//! Which components of an application come before others on a cluster.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::parsed::{COMPONENT_LABEL, Component};

/// Components by name, each with those that it depends on. Components that depend on nothing are left out.
pub(crate) type Depends = BTreeMap<String, BTreeSet<String>>;

/// Returns what the components of an application depend on.
pub(crate) fn depends(components: &[Component]) -> Depends {
    let dependent = components.iter().filter(|component| !component.depends_on.is_empty());
    dependent.map(|component| (component.name.clone(), component.depends_on.iter().cloned().collect())).collect()
}

/// Returns what the components with objects among these depend on.
///
/// A component that an override leaves out cannot be waited for. Those that depend on it come after what it depends on itself, so that the
/// order of the others stays the same.
pub(super) fn delivered(depends: &Depends, objects: &[Value]) -> Depends {
    let label =
        |object| Value::pointer(object, "/metadata/labels").and_then(|labels| labels.get(COMPONENT_LABEL)?.as_str());
    let there: BTreeSet<&str> =
        if depends.is_empty() { BTreeSet::new() } else { objects.iter().filter_map(label).collect() };
    let dependent = depends.keys().filter(|component| there.contains(component.as_str()));
    let dependent = dependent.map(|component| (component.clone(), nearest(depends, &there, component)));
    dependent.filter(|(_, named)| !named.is_empty()).collect()
}

/// Returns what a component depends on, directly or through components that are not there.
fn nearest(depends: &Depends, there: &BTreeSet<&str>, component: &str) -> BTreeSet<String> {
    let (mut found, mut known, mut next) = (BTreeSet::new(), BTreeSet::new(), vec![component]);
    while let Some(component) = next.pop() {
        for named in depends.get(component).into_iter().flatten().filter(|named| known.insert(*named)) {
            if there.contains(named.as_str()) {
                found.insert(named.clone());
            } else {
                next.push(named);
            }
        }
    }
    found
}

//! Finds objects that the templates of several add-ons write.

use std::collections::{BTreeMap, BTreeSet};

use super::touched::Touched;
use super::used_revisions::{revision, rolled_out_itself};
use crate::application::{self, Entry, Rendered, entries, is_app_deployment, is_application, is_candidate};
use crate::assemble::index::Index;
use crate::complaint::{Complaint, Rule, mark_from};
use crate::definition::Definitions;
use crate::digest::written;
use crate::read::notes::Notes;
use crate::read::object::Object;
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;

/// Adds an error for each template or application with an object that another unit writes, too: the two would overwrite each other on every
/// cluster that gets both, and the rules of one unit would be evaded by the other.
pub(crate) fn check(
    touched: &Touched,
    (index, definitions): (&Index<'_>, &Definitions),
    complaints: &mut Vec<Complaint>,
) {
    let mut writers: BTreeMap<ObjectKey, BTreeSet<&UnitName>> = BTreeMap::new();
    let sources = touched.iter().filter_map(|(key, units)| {
        let source = index.by_key.get(key).copied()?;
        Some((source, units, written_by(source, (index, definitions))?))
    });
    let sources: Vec<_> = sources.collect();
    for (_, units, objects) in &sources {
        for object in objects {
            writers.entry(object.clone()).or_default().extend(units.iter());
        }
    }
    for (template, _, objects) in sources {
        let mut found = Vec::new();
        for object in objects {
            let Some(addons) = writers.get(&object).filter(|addons| addons.len() > 1) else { continue };
            let names: Vec<&str> = addons.iter().map(|addon| addon.as_str()).collect();
            let message = format!(
                "{object} is written by {}: they would overwrite each other; keep it in one of them",
                names.join(" and ")
            );
            Notes { object: template, complaints: &mut found }.error(template.node.origin, message);
        }
        mark_from(&mut found, 0, Rule::Template);
        complaints.append(&mut found);
    }
}

/// Returns the objects that clusters get of a template, an application or an AppDeployment; `None` if they get nothing of an object.
fn written_by(object: &Object, (index, definitions): (&Index<'_>, &Definitions)) -> Option<BTreeSet<ObjectKey>> {
    let keys = |rendered: Vec<Rendered>| -> Vec<ObjectKey> {
        rendered.iter().filter_map(|rendered| ObjectKey::of(&rendered.object)).filter(is_owned).collect()
    };
    if is_application(object) {
        let rendered = || application::rendered(object, definitions).into_iter().flat_map(keys).collect();
        return (!is_candidate(object)).then(rendered);
    }
    if is_app_deployment(object) {
        let by_revision: BTreeMap<String, Entry> =
            entries(&object.value).into_iter().map(|entry| (entry.revision.clone(), entry)).collect();
        let revisions = by_revision.values().filter_map(|entry| revision(object, entry, index));
        // Otherwise, it is reported with the entry.
        let revisions = revisions.filter(|revision| rolled_out_itself(revision, index).is_none());
        return Some(revisions.flat_map(|revision| keys(revision.objects())).collect());
    }
    object.is_addon_kind("AddOnTemplate").then(|| written(&object.value).collect())
}

/// Namespaces may be shared.
fn is_owned(key: &ObjectKey) -> bool {
    !(key.group.is_empty() && key.kind == "Namespace")
}

//! Finds objects that the templates of several add-ons write.

use std::collections::{BTreeMap, BTreeSet};

use super::touched::Touched;
use crate::assemble::index::Index;
use crate::complaint::{Complaint, Rule, mark_from};
use crate::digest::written;
use crate::read::notes::Notes;
use tidegate_api::key;
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;

/// Adds an error for each template with an object that another add-on writes, too: the two would overwrite each other on every cluster that
/// gets both, and the rules of one add-on would be evaded by the other.
pub(crate) fn check(touched: &Touched, index: &Index<'_>, complaints: &mut Vec<Complaint>) {
    let is_template = |key: &&ObjectKey| key.group == key::ADDON_GROUP && key.kind == "AddOnTemplate";
    let mut writers: BTreeMap<ObjectKey, BTreeSet<&UnitName>> = BTreeMap::new();
    let templates: Vec<_> = touched.iter().filter(|(key, _)| is_template(key)).collect();
    for (key, addons) in &templates {
        let Some(template) = index.by_key.get(*key) else { continue };
        for object in written(&template.value) {
            writers.entry(object).or_default().extend(addons.iter());
        }
    }
    for (key, _) in templates {
        let Some(template) = index.by_key.get(key) else { continue };
        let mut found = Vec::new();
        for object in written(&template.value).collect::<BTreeSet<_>>() {
            let Some(addons) = writers.get(&object).filter(|addons| addons.len() > 1) else { continue };
            let names: Vec<&str> = addons.iter().map(|addon| addon.as_str()).collect();
            let message = format!(
                "{object} is written by the add-ons {}: they would overwrite each other; keep it in one of them",
                names.join(" and ")
            );
            Notes { object: template, complaints: &mut found }.error(template.node.origin, message);
        }
        mark_from(&mut found, 0, Rule::Template);
        complaints.append(&mut found);
    }
}

//! The files of an adopted repository, and the check that they declare what the hub has.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::bindings::losses;
use super::found::Found;
use super::layout::layout;
use super::left_out::LeftOut;
use super::select::selected;
use super::settings;
use crate::{
    Adopt, AdoptedObject, AllowedKind, Complaint, OperatorRules, Rule, SETTINGS_FILE, load, load_with, with_defaults,
};
use tidegate_api::fleet::Fleet;
use tidegate_api::ocm::is_declaration;
use tidegate_delivery::upstream::Views;
use tidegate_kustomize::yaml::{Error, Node, Origin, write_all};
use tidegate_model::name::AddonName;
use tidegate_model::object::ObjectKey;
use tidegate_model::tree::Tree;

/// The repository that a hub was turned into.
#[derive(Debug, Default)]
pub struct Adoption {
    /// The files by path, `tidegate.toml` among them. Empty if the hub has no add-on that can be declared.
    pub files: BTreeMap<String, String>,
    /// The objects of each file.
    pub objects: BTreeMap<String, Vec<ObjectKey>>,
    /// What is left out, each with its reason.
    pub left_out: Vec<LeftOut>,
    /// The add-ons that upstream's manager drives, and that a daemon refuses until they are handed over.
    pub driven: BTreeSet<AddonName>,
    /// What people should know about the objects before they commit them.
    pub warnings: Vec<String>,
    /// What the file of the daemon needs, so that the daemon may take over the objects; empty if it needs nothing.
    pub daemon_file: String,
    /// The subjects that lose a role on the hub when Tidegate delivers the add-ons, a line for each.
    pub losses: Vec<String>,
    /// What [`load_with`] reports about the files: mistakes that the hub already has.
    pub complaints: Vec<Complaint>,
    /// Objects that do not survive being written and read again, each with the reason.
    pub unwritable: Vec<String>,
}

/// Turns the add-ons of a hub, and what they refer to, into files; only these add-ons if `only` is not empty. The roles of agents are
/// looked for among the declared and the unreadable objects of the fleet.
pub fn adopt(fleet: &Fleet, only: &BTreeSet<AddonName>) -> Adoption {
    let mut views = Views::default();
    let view = views.fleet(fleet);
    let mut selected = selected(view.as_ref().unwrap_or(fleet), only);
    let mut adoption = Adoption { driven: std::mem::take(&mut selected.driven), ..Adoption::default() };
    let objects = std::mem::take(&mut selected.objects);
    for (path, keys) in layout(&objects) {
        let nodes = keys.iter().filter_map(|key| objects.get(key)).map(node);
        match write_all(&nodes.collect::<Vec<_>>()) {
            Ok(text) => {
                adoption.files.insert(path.clone(), text);
                adoption.objects.insert(path, keys);
            }
            Err(error) => adoption.unwritable.extend(keys.iter().map(|key| unwritable(key, &error))),
        }
    }
    if !adoption.files.is_empty() {
        adoption.files.insert(SETTINGS_FILE.to_owned(), settings::TEXT.to_owned());
        adoption.check(&objects);
    }
    let addons = objects.keys().filter(|key| key.kind == "ClusterManagementAddOn");
    adoption.losses = losses(fleet, &addons.filter_map(|key| key.name.parse().ok()).collect());
    adoption.warnings = objects.into_values().flat_map(|found| found.warnings).collect();
    adoption.left_out = selected.left_out();
    adoption
}

fn node(found: &Found) -> Node {
    Node::from_value(&found.declaration, Origin::default())
}

fn unwritable(key: &ObjectKey, error: &Error) -> String {
    format!("{key}: {}", error.message)
}

/// Returns what the operator has to allow, so that a daemon takes over the objects.
fn operator(complaints: &[Complaint], objects: &BTreeMap<ObjectKey, Found>) -> OperatorRules {
    let refused = complaints.iter().filter(|complaint| complaint.rule == Rule::Hub).filter_map(|c| c.object.as_ref());
    let others = objects.keys().filter(|key| !is_declaration(key) && key.kind != "ManagedClusterAddOn");
    let adopt = Adopt { objects: others.map(AdoptedObject::of).collect(), ..Adopt::default() };
    OperatorRules { kinds: refused.map(AllowedKind::of).collect(), adopt, ..OperatorRules::default() }
}

impl Adoption {
    /// Loads the files as a daemon does, and compares the result with what was to be written.
    fn check(&mut self, objects: &BTreeMap<ObjectKey, Found>) {
        let files = self.files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())).collect();
        let tree = Tree { files, ..Tree::default() };
        let operator = operator(&load(&tree, "").complaints, objects);
        self.daemon_file = settings::daemon_text(&operator);
        let loaded = load_with(&tree, "", &Arc::new(operator));
        for key in self.objects.values().flatten() {
            let (Some(read), Some(found)) = (loaded.repository.objects.get(key), objects.get(key)) else { continue };
            if with_defaults(&read.object) != with_defaults(&found.declaration) {
                self.unwritable.push(format!("{key}: it is not the same when it is read again"));
            }
        }
        self.complaints = loaded.complaints;
    }
}

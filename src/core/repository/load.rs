//! Loads a [`Repository`] from the files of a commit, step by step.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::application;
use super::assemble::index::Index;
use super::assemble::{repository, sound};
use super::check;
use super::complaint::{Complaint, Rule};
use super::control;
use super::definition::Definitions;
use super::links::hub_roles::HubPermission;
use super::links::layers::layers;
use super::links::{self, app_deployments, hub_roles, namespaces, policies, resolve, shared, touched, variables};
use super::operator::OperatorRules;
use super::per_cluster;
use super::read::notes::Notes;
use super::read::object::{OVERLAY, Object, Sorter};
use super::read::unreadable::Unreadable;
use super::read::{charts, file, local_charts, misplaced, rendered};
use super::reserved::{CONTROL, has_objects, is_reserved, is_vendored};
use super::settings::{self, SETTINGS_FILE, Settings};
use super::types::{Loaded, Repository};
use super::vendored;
use crate::reference::renames::Renames;
use tidegate_kustomize::overlay;
use tidegate_kustomize::yaml::{NodeBudget, Provenance};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::near::nearest;
use tidegate_model::object::ObjectKey;
use tidegate_model::semantics::Rules;
use tidegate_model::tree::Tree;

/// Reads a repository from the files of a commit, for a hub whose operator allows nothing beyond the usual kinds.
///
/// A non-empty `path` overrides the one in `tidegate.toml`. Loading never fails and hides nothing: anything that cannot be used
/// is left out and reported in a complaint, which is also listed for each add-on that it blocks.
pub fn load(tree: &Tree, path: &str) -> Loaded {
    load_with(tree, path, &Arc::default())
}

/// Reads a repository like [`load`], for a hub whose operator may allow more.
pub fn load_with(tree: &Tree, path: &str, operator: &Arc<OperatorRules>) -> Loaded {
    load_within(tree, path, operator, &NodeBudget::default())
}

/// Reads a repository like [`load_with`], and takes the nodes of its files from a budget. If they are not enough, nothing of the revision is
/// used.
pub fn load_within(tree: &Tree, path: &str, operator: &Arc<OperatorRules>, budget: &NodeBudget) -> Loaded {
    let mut complaints = Vec::new();
    let read = settings::read(tree, path, &mut complaints);
    let prefix = prefix(tree, &read.settings.path);
    let control = control::read(tree, budget);
    let mut repository = Repository {
        settings: read.settings,
        operator: Arc::clone(operator),
        controls: control.controls,
        ..Repository::default()
    };
    if tree.is_cut {
        repository.unreadable_files.insert(CONTROL.to_owned());
    }
    let files = files(tree, &prefix, &repository.settings, budget);
    complaints.extend(cut(tree));
    if complaints.is_empty() && files.is_empty() {
        complaints.push(empty(tree, &repository.settings.path, read.path_place));
    }
    if !complaints.is_empty() {
        // The right directory is unknown, so nothing is read: a wrong directory would be worse than none.
        repository.unreadable_files.insert(SETTINGS_FILE.to_owned());
        complaints.extend(control.complaints);
        return finish(repository, complaints, Vec::new());
    }
    let (mut objects, renames, mut used) =
        everything(tree, (&prefix, &files), &mut repository, &mut complaints, budget);
    if repository.settings.applications.enabled {
        used.extend(applications(tree, &mut objects, &mut repository, &mut complaints, budget));
    }
    vendored::check(tree, &repository.settings.path, &used, &mut complaints);
    vendored::check_applications(tree, &objects, &mut complaints);
    repository.unreadable_files.extend(control.misplaced);
    complaints.extend(control.complaints);
    repository.unreadable_files.extend(misplaced::in_approvals(tree, &mut complaints, budget));

    repository.plan_policies = super::policies::read(tree, &mut complaints, budget);
    if budget.is_exceeded() {
        // What was read so far is no basis for decisions.
        repository.unreadable_files.insert(SETTINGS_FILE.to_owned());
        return finish(repository, complaints, Vec::new());
    }
    let rules = repository.settings.rules();
    let mut definitions = Definitions::of(&objects).with(&repository.settings.applications);
    definitions.samples = per_cluster::samples(&objects);
    let mut sound = settled(&objects, (&rules, &definitions), &mut complaints);
    let index = Index::new(&objects, renames);
    check_links(tree, &repository, (&objects, &definitions), &index, &mut complaints);
    let touched = touched::touched(&objects, &index, &definitions);
    shared::check(&touched, (&index, &definitions), &mut complaints);
    let touched = touched.into_iter().map(|(key, addons)| (key, Arc::new(addons)));
    let touched: BTreeMap<ObjectKey, _> = touched.collect();
    for complaint in &mut complaints {
        complaint.addons = complaint.object.as_ref().and_then(|key| touched.get(key)).cloned().unwrap_or_default();
    }
    let hub_permissions = hub_roles::permissions(&objects, &index, &touched);
    sort(&mut complaints);
    block(&mut repository, &mut sound, &complaints);
    repository::assemble(&mut repository, &objects, &sound, (&index, &definitions));
    control::check(&control.files, &repository, &mut complaints);
    finish(repository, complaints, hub_permissions)
}

/// Adds what the components of applications have from elsewhere, and the Placements of their policies. Returns the directories of the entries in
/// the lock that they use.
fn applications(
    tree: &Tree,
    objects: &mut Vec<Object>,
    repository: &mut Repository,
    complaints: &mut Vec<Complaint>,
    budget: &NodeBudget,
) -> BTreeSet<String> {
    application::mark(objects, complaints);
    let sources = application::sources::add_sources(tree, objects, complaints, budget);
    repository.overlays = sources.read;
    application::add_placements(objects);
    repository.candidates = application::candidates(objects);
    sources.vendored
}

/// Returns the complaints about a revision of which only a part was read: a missing file means nothing.
fn cut(tree: &Tree) -> Vec<Complaint> {
    if !tree.is_cut {
        return Vec::new();
    }
    let skipped =
        |(file, why): (&String, &String)| of_file(Diagnostic::warning, file, &format!("this is not read: {why}"));
    let message = "the revision is larger than what is read, so nothing of it is used; remove what does not belong here, or split the repository";
    tree.skipped.iter().map(skipped).chain([of_file(Diagnostic::error, ".", message)]).collect()
}

/// Removes the objects with errors from the sound ones, and blocks the units that these errors touch.
fn block(repository: &mut Repository, sound: &mut BTreeMap<ObjectKey, sound::Sound>, complaints: &[Complaint]) {
    for complaint in complaints.iter().filter(|complaint| complaint.is_error()) {
        if let Some(key) = &complaint.object {
            sound.remove(key);
        }
        for addon in complaint.addons.iter() {
            repository.blocked.entry(addon.clone()).or_default().push(complaint.clone());
        }
    }
}

/// Complains that the path of the settings has no file to read.
fn empty(tree: &Tree, path: &str, place: Place) -> Complaint {
    let message = match place.file.as_str() {
        "." => {
            format!(
                "there is no YAML or JSON file here; write the objects, name their directory in {SETTINGS_FILE}, or begin with \
                 `tidegate init`"
            )
        }
        _ => nothing_there(tree, path),
    };
    Complaint::new(Rule::Settings, Diagnostic::error(place, message))
}

/// Reads all objects of a revision, with those of overlays and charts. Returns also the directories of the entries in the lock that they use.
fn everything(
    tree: &Tree,
    (prefix, files): (&str, &[(&String, &Vec<u8>)]),
    repository: &mut Repository,
    complaints: &mut Vec<Complaint>,
    budget: &NodeBudget,
) -> (Vec<Object>, Renames, BTreeSet<String>) {
    let (mut objects, renames) = if overlay::is_overlay(tree, &repository.settings.path) {
        objects_of_overlay(tree, repository, complaints, budget)
    } else {
        let objects = objects(files, complaints, budget);
        twins(files, complaints);
        let faulty = complaints.iter().map(|complaint| complaint.diagnostic.place.file.clone());
        repository.unreadable_files.extend(faulty);
        skipped(tree, prefix, repository, complaints);
        (objects, Renames::default())
    };
    let charts = charts::append(tree, &mut objects, complaints, budget);
    repository.read.iter_mut().for_each(|read| read.extend(charts.looked_at.iter().cloned()));
    (objects, renames, charts.used)
}

/// Checks what objects say about each other.
fn check_links(
    tree: &Tree,
    repository: &Repository,
    (objects, definitions): (&[Object], &Definitions),
    index: &Index<'_>,
    complaints: &mut Vec<Complaint>,
) {
    let unreadable = Unreadable::new(tree, &repository.unreadable_files);
    app_deployments::check(objects, index, &unreadable, complaints);
    links::definitions::check(objects, definitions, &unreadable, complaints);
    resolve::check(objects, index, unreadable, complaints);
    let layers = layers(objects, index);
    variables::check(&layers, &repository.settings.rules(), complaints);
    namespaces::check(&layers, complaints);
    let people = repository.settings.people.under(&repository.operator.people);
    policies::check(objects, index, &people, complaints);
    check::ambiguous(objects, tree, complaints);
    check::hub_kinds::check(objects, index, &repository.operator.kinds, complaints);
}

/// Returns the objects at the path of the settings, as far as they can be read.
pub(super) fn objects_at(tree: &Tree, repository: &mut Repository) -> Vec<Object> {
    let budget = NodeBudget::default();
    let mut objects = objects_within(tree, repository, &budget);
    charts::append(tree, &mut objects, &mut Vec::new(), &budget);
    objects
}

/// Returns the objects at the path of the settings like [`objects_at`], without the manifests of charts.
pub(super) fn objects_without_charts(tree: &Tree, repository: &mut Repository) -> Vec<Object> {
    objects_within(tree, repository, &NodeBudget::default())
}

fn objects_within(tree: &Tree, repository: &mut Repository, budget: &NodeBudget) -> Vec<Object> {
    // They are reported when the repository is loaded.
    let mut complaints = Vec::new();
    if overlay::is_overlay(tree, &repository.settings.path) {
        objects_of_overlay(tree, repository, &mut complaints, budget).0
    } else {
        let prefix = prefix(tree, &repository.settings.path);
        objects(&files(tree, &prefix, &repository.settings, budget), &mut complaints, budget)
    }
}

/// Returns the common start of the paths of all files at the path of the settings.
fn prefix(tree: &Tree, path: &str) -> String {
    // An overlay may be reached through symbolic links.
    let followed = tree.follow(path, &mut Vec::new()).ok();
    let place = followed.filter(|path| overlay::is_overlay(tree, path)).unwrap_or_else(|| path.to_owned());
    if matches!(place.as_str(), "" | ".") { String::new() } else { format!("{place}/") }
}

/// Returns the files that are read below a prefix: not those of local charts, which AddOnTemplates and Applications name.
fn files<'a>(
    tree: &'a Tree,
    prefix: &'a str,
    settings: &Settings,
    budget: &NodeBudget,
) -> Vec<(&'a String, &'a Vec<u8>)> {
    let mut files: Vec<_> = below(&tree.files, prefix).filter(|(file, _)| is_read(file)).collect();
    let charts = local_charts::local_charts(tree, &files, settings.applications.enabled, budget);
    let is_in_chart =
        |file: &str| file.match_indices('/').filter_map(|(at, _)| file.get(..at)).any(|at| charts.contains(at));
    files.retain(|(file, _)| charts.is_empty() || !is_in_chart(file));
    files
}

/// Renders the overlay at the path of the settings.
fn objects_of_overlay(
    tree: &Tree,
    repository: &mut Repository,
    complaints: &mut Vec<Complaint>,
    budget: &NodeBudget,
) -> (Vec<Object>, Renames) {
    let Settings { path, render, .. } = &repository.settings;
    let rendered = overlay::render_within(tree, path, render, budget);
    let renames = if render.ocm_references { Renames::default() } else { Renames::of(&rendered.objects) };
    if rendered.is_failed() {
        // Its objects are unknown, and its sources may be anywhere.
        repository.unreadable_files.insert(SETTINGS_FILE.to_owned());
    } else {
        repository.read = Some(rendered.read);
    }
    complaints.extend(rendered.complaints.into_iter().map(|found| Complaint::new(Rule::Overlay, found)));
    (rendered::objects(rendered.objects, &Arc::new(rendered.provenance), complaints), renames)
}

fn finish(mut repository: Repository, mut complaints: Vec<Complaint>, hub_permissions: Vec<HubPermission>) -> Loaded {
    sort(&mut complaints);
    repository.may_prune = !complaints.iter().any(Complaint::is_about_declarations);
    Loaded { repository, complaints, hub_permissions }
}

fn sort(complaints: &mut Vec<Complaint>) {
    complaints.sort();
    complaints.dedup();
}

/// Returns the entries whose path starts with a prefix.
fn below<'a, T>(entries: &'a BTreeMap<String, T>, prefix: &'a str) -> impl Iterator<Item = (&'a String, &'a T)> {
    entries.range(prefix.to_owned()..).take_while(move |(file, _)| file.starts_with(prefix))
}

fn is_read(file: &str) -> bool {
    !is_reserved(file) && !is_vendored(file) && has_objects(file)
}

fn nothing_there(tree: &Tree, path: &str) -> String {
    let files = tree.files.keys().filter(|file| is_read(file));
    let directories: BTreeSet<&str> =
        files.flat_map(|file| file.match_indices('/').filter_map(|(at, _)| file.get(..at))).collect();
    let remedy = match nearest(path, directories) {
        Some(near) => format!("did you mean {near:?}?"),
        None => "write the directory that holds the objects".to_owned(),
    };
    format!("there is no YAML or JSON file below {path:?}; {remedy}")
}

fn objects(files: &[(&String, &Vec<u8>)], complaints: &mut Vec<Complaint>, budget: &NodeBudget) -> Vec<Object> {
    let mut objects = Vec::new();
    for (file, bytes) in files {
        if overlay::is_kustomization(file) {
            complaints.push(of_file(Diagnostic::error, file, OVERLAY));
            continue;
        }
        let mut provenance = Provenance::default();
        let source = provenance.add_source(file.as_str());
        match file::documents(source, bytes, budget) {
            Ok(documents) => {
                let provenance = Arc::new(provenance);
                let mut sorter = Sorter { provenance, is_rendered: false, objects: &mut objects, complaints };
                documents.into_iter().for_each(|(node, value)| sorter.document(node, value));
            }
            Err(error) => complaints.push(Complaint::new(Rule::Yaml, provenance.resolve(error))),
        }
        if budget.is_exceeded() {
            // Every other file would be refused as well.
            return Vec::new();
        }
    }
    objects
}

/// Creates a complaint about a whole file.
fn of_file(severity: fn(Place, String) -> Diagnostic, file: &str, message: &str) -> Complaint {
    Complaint::new(Rule::File, severity(Place::start_of(file), message.to_owned()))
}

/// Warns about files whose paths differ only by case: many machines cannot check out both, and lose one.
fn twins(files: &[(&String, &Vec<u8>)], complaints: &mut Vec<Complaint>) {
    let mut seen: BTreeMap<String, &String> = BTreeMap::new();
    for (file, _) in files {
        let first = *seen.entry(file.to_lowercase()).or_insert(file);
        if first != *file {
            let message = format!(
                "the path differs from {first} only by case, so some machines lose one of the files; rename it"
            );
            complaints.push(of_file(Diagnostic::warning, file, &message));
        }
    }
}

/// Reports entries that were left out of the tree: an error if they may hold objects, such as a link to a directory, else a
/// warning.
fn skipped(tree: &Tree, prefix: &str, repository: &mut Repository, complaints: &mut Vec<Complaint>) {
    for (file, why) in below(&tree.skipped, prefix).filter(|(file, _)| !is_reserved(file) && !is_vendored(file)) {
        let name = file.rsplit('/').next().unwrap_or(file);
        let message = format!("this is not read: {why}; write a regular file");
        if has_objects(file) || !name.contains('.') {
            complaints.push(of_file(Diagnostic::error, file, &message));
            repository.unreadable_files.insert(file.clone());
        } else {
            complaints.push(of_file(Diagnostic::warning, file, &message));
        }
    }
}

/// Checks each object by itself, and returns those without an error.
fn settled(
    objects: &[Object],
    basis: (&Rules, &Definitions),
    complaints: &mut Vec<Complaint>,
) -> BTreeMap<ObjectKey, sound::Sound> {
    let mut settled = BTreeMap::new();
    for object in objects {
        let mut found = Vec::new();
        check::check(object, basis, &mut found);
        if !found.iter().any(Complaint::is_error) {
            match sound::settle(object) {
                Ok(sound) => drop(settled.insert(object.key.clone(), sound)),
                Err(unfit) => Notes { object, complaints: &mut found }.error(object.node.origin, unfit.to_string()),
            }
        }
        complaints.append(&mut found);
    }
    settled
}

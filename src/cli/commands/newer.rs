//! `tidegate upgrade --check`: newer versions of vendored charts and bases, and of the images of templates.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::vendor::is_vendored;
use crate::cli::args::UpgradeArgs;
use crate::cli::downloads::downloads;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::cli::repository::directory;
use tidegate_download::{Reach, Versioned};
use tidegate_kustomize::vendor::{LOCK_FILE, Lock, What};
use tidegate_kustomize::yaml::{Input, Node, SourceId, manifests};
use tidegate_model::plural::counted;
use tidegate_model::tree::Tree;

/// What is in use, by its name and version.
type InUse = BTreeMap<(String, String), Used>;

/// How to look for a newer version of something, and which files or add-ons use it.
struct Used {
    what: Versioned,
    /// `true` if a file of the repository itself names it. What only vendored files name reaches no private network, and gets no credentials.
    is_own: bool,
    users: BTreeSet<String>,
}

impl Used {
    fn new(what: Versioned) -> Self {
        Self { what, is_own: false, users: BTreeSet::new() }
    }
}

/// Prints what has a newer version. Finding some is exit code 1.
pub(crate) fn run(process: &Process, args: &UpgradeArgs) -> Result<(), Failure> {
    let tree = directory::tree(std::path::Path::new("."))?;
    let mut all = images(&tree);
    vendored(&tree, &mut all)?;
    let (own, public) = (downloads(&args.download, Reach::Declared)?, downloads(&args.download, Reach::Public)?);
    let (mut newer, mut failed) = (0, 0);
    for ((name, version), entry) in &all {
        let used = entry.users.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let downloads = if entry.is_own { &own } else { &public };
        match downloads.newer(&entry.what, version) {
            Ok(None) => {}
            Ok(Some(found)) => {
                newer += 1;
                process.say_line(&format!("{name} {version}: {found} is newer (used by {used})"))?;
            }
            Err(error) => {
                failed += 1;
                process.warn_line(&format!("{name} {version} (used by {used}): {error}"));
            }
        }
    }
    process.say_line(&format!("{} checked, {newer} newer", counted(all.len(), "version")))?;
    match (failed, newer) {
        (0, 0) => Ok(()),
        (0, _) => Err(Failure::Findings),
        _ => Err(Failure::Unreachable {
            message: format!("{} could not be checked", counted(failed, "version")),
            hint: "look at the warnings above; private registries need --credentials-file".to_owned(),
        }),
    }
}

/// Adds what `vendor.lock` has. Sources without a version, such as a branch, follow `tidegate vendor --update`.
fn vendored(tree: &Tree, all: &mut InUse) -> Result<(), Failure> {
    let lock = Lock::read(tree)
        .map_err(|_| Failure::Usage("vendor.lock cannot be read; `tidegate vendor --check` shows why".to_owned()))?;
    for entry in lock.entries {
        let (name, version, what, is_own, user) = match entry.what {
            What::Chart(chart) if chart.repository.contains("://") => {
                let what = Versioned::Chart { repository: chart.repository, name: chart.name.clone() };
                (format!("chart {}", chart.name), chart.version, what, !is_vendored(&chart.used_by), chart.used_by)
            }
            What::Git(git) => {
                let Some(reference) = git.reference else { continue };
                let version = reference.trim_start_matches("refs/tags/").to_owned();
                let is_own = is_named(tree, &git.source);
                (format!("base {}", git.repository), version, Versioned::Git(git.repository), is_own, entry.directory)
            }
            What::Chart(_) | What::File(_) => continue,
        };
        let used = all.entry((name, version)).or_insert_with(|| Used::new(what));
        used.is_own |= is_own;
        used.users.insert(user);
    }
    Ok(())
}

/// Returns `true` if a file of the repository itself contains a source.
fn is_named(tree: &Tree, source: &str) -> bool {
    let own = tree.files.iter().filter(|(path, _)| !is_vendored(path) && *path != LOCK_FILE);
    let mut texts = own.filter_map(|(_, bytes)| std::str::from_utf8(bytes).ok());
    texts.any(|text| text.contains(source))
}

/// Returns the images of the templates that add-ons refer to.
fn images(tree: &Tree) -> InUse {
    let own = tree.files.iter().filter(|(path, _)| !is_vendored(path) && is_yaml(path));
    let parsed = own.flat_map(|(_, bytes)| manifests(Input::of_file(SourceId::default(), bytes)).unwrap_or_default());
    let objects: Vec<Value> = parsed.filter_map(|node: Node| node.to_value().ok()).collect();
    let mut used = BTreeSet::new();
    objects.iter().for_each(|object| templates(object, &mut used));
    let mut all = InUse::new();
    for template in objects.iter().filter(|object| text(object, "/kind") == "AddOnTemplate") {
        if used.contains(text(template, "/metadata/name")) {
            containers(template, text(template, "/spec/addonName"), &mut all);
        }
    }
    all
}

fn is_yaml(path: &str) -> bool {
    path.ends_with(".yaml") || path.ends_with(".yml")
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// Adds the names of the templates that an object refers to.
fn templates<'v>(value: &'v Value, used: &mut BTreeSet<&'v str>) {
    match value {
        Value::Object(fields) => {
            if fields.get("resource").and_then(Value::as_str) == Some("addontemplates") {
                used.extend(fields.get("name").and_then(Value::as_str));
            }
            fields.values().for_each(|value| templates(value, used));
        }
        Value::Array(items) => items.iter().for_each(|item| templates(item, used)),
        _ => {}
    }
}

/// Adds the images with a tag in the containers of a template.
fn containers(value: &Value, addon: &str, all: &mut InUse) {
    match value {
        Value::Object(fields) => {
            let image = fields.get("image").and_then(Value::as_str).filter(|_| fields.contains_key("name"));
            // What is after the last slash: a registry may have a port. A digest has no order.
            let tagged = image.filter(|image| !image.contains(['@', '{'])).and_then(|image| image.rsplit_once(':'));
            if let Some((image, tag)) = tagged.filter(|(_, tag)| !tag.contains('/')) {
                let used = || Used::new(Versioned::Image(image.to_owned()));
                let entry = all.entry((format!("image {image}"), tag.to_owned())).or_insert_with(used);
                entry.is_own = true;
                entry.users.insert(addon.to_owned());
            }
            fields.values().for_each(|value| containers(value, addon, all));
        }
        Value::Array(items) => items.iter().for_each(|item| containers(item, addon, all)),
        _ => {}
    }
}

//! `tidegate upgrade --check`: newer versions of vendored charts and bases, and of the images of templates.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::cli::args::UpgradeArgs;
use crate::cli::downloads::downloads;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::cli::repository::directory;
use tidegate_download::{Reach, Versioned};
use tidegate_kustomize::vendor::{Lock, What};
use tidegate_kustomize::yaml::{Input, Node, SourceId, manifests};
use tidegate_model::plural::counted;
use tidegate_model::tree::Tree;

/// What is in use: its name and version, how to look for a newer one, and which files or add-ons use it.
type InUse = BTreeMap<(String, String), (Versioned, BTreeSet<String>)>;

/// Prints what has a newer version. Finding some is exit code 1.
pub(crate) fn run(process: &Process, args: &UpgradeArgs) -> Result<(), Failure> {
    let tree = directory::tree(std::path::Path::new("."))?;
    let mut all = images(&tree);
    vendored(&tree, &mut all)?;
    let downloads = downloads(&args.download, Reach::Declared)?;
    let (mut newer, mut failed) = (0, 0);
    for ((name, version), (what, users)) in &all {
        let used = users.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        match downloads.newer(what, version) {
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
        let (name, version, what, user) = match entry.what {
            What::Chart(chart) if chart.repository.contains("://") => {
                let what = Versioned::Chart { repository: chart.repository, name: chart.name.clone() };
                (format!("chart {}", chart.name), chart.version, what, chart.used_by)
            }
            What::Git(git) => {
                let Some(reference) = git.reference else { continue };
                let version = reference.trim_start_matches("refs/tags/").to_owned();
                (format!("base {}", git.repository), version, Versioned::Git(git.repository), entry.directory)
            }
            What::Chart(_) | What::File(_) => continue,
        };
        all.entry((name, version)).or_insert_with(|| (what, BTreeSet::new())).1.insert(user);
    }
    Ok(())
}

/// Returns the images of the templates that add-ons refer to.
fn images(tree: &Tree) -> InUse {
    let own = tree.files.iter().filter(|(path, _)| !path.starts_with("vendor/") && is_yaml(path));
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
                let users = || (Versioned::Image(image.to_owned()), BTreeSet::new());
                let entry = all.entry((format!("image {image}"), tag.to_owned())).or_insert_with(users);
                entry.1.insert(addon.to_owned());
            }
            fields.values().for_each(|value| containers(value, addon, all));
        }
        Value::Array(items) => items.iter().for_each(|item| containers(item, addon, all)),
        _ => {}
    }
}

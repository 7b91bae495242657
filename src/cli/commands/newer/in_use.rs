//! The versions that a repository uses: of vendored charts and bases, and of the images of templates.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::cli::commands::vendor::is_vendored;
use crate::cli::failure::Failure;
use tidegate_download::Versioned;
use tidegate_kustomize::vendor::{LOCK_FILE, Lock, What};
use tidegate_kustomize::yaml::{Input, Node, SourceId, manifests};
use tidegate_model::tree::Tree;

/// What is in use, by its name and version.
pub(super) type InUse = BTreeMap<(String, String), Used>;

/// How to look for a newer version of something, and which files or add-ons use it.
pub(super) struct Used {
    pub(super) what: Versioned,
    /// `true` if a file of the repository itself names it. What only vendored files name reaches no private network, and gets no credentials.
    pub(super) is_own: bool,
    pub(super) users: BTreeSet<String>,
    /// The add-ons whose default template has it: a newer version is a new template.
    pub(super) addons: BTreeSet<String>,
    /// The sources of a base, as files declare them.
    pub(super) sources: BTreeSet<String>,
}

impl Used {
    fn new(what: Versioned) -> Self {
        Self { what, is_own: false, users: BTreeSet::new(), addons: BTreeSet::new(), sources: BTreeSet::new() }
    }
}

/// Returns what a repository uses.
pub(super) fn in_use(tree: &Tree) -> Result<InUse, Failure> {
    let templates = templates(tree);
    let files: BTreeSet<String> = templates.iter().map(|template| template.file.clone()).collect();
    let used: Vec<Template> = templates.into_iter().filter(|template| template.is_used).collect();
    let mut all = images(&used);
    vendored(tree, (&used, &files), &mut all)?;
    Ok(all)
}

/// A template, and the file with it.
struct Template {
    file: String,
    object: Value,
    /// Whether an add-on refers to it.
    is_used: bool,
    /// Whether it is the default one, and not only that of a placement.
    is_default: bool,
}

impl Template {
    fn addon(&self) -> &str {
        text(&self.object, "/spec/addonName")
    }

    /// Returns `true` if it has the chart with this name.
    fn has_chart(&self, name: &str) -> bool {
        text(&self.object, CHART).rsplit('/').next() == Some(name)
    }
}

/// Adds what `vendor.lock` has. `templates` are those in use, and `all_templates` the files with any. Sources without a version, such as a
/// branch, follow `tidegate vendor --update`.
fn vendored(
    tree: &Tree,
    (templates, all_templates): (&[Template], &BTreeSet<String>),
    all: &mut InUse,
) -> Result<(), Failure> {
    let lock = Lock::read(tree)
        .map_err(|_| Failure::Usage("vendor.lock cannot be read; `tidegate vendor --check` shows why".to_owned()))?;
    for entry in lock.entries {
        let (mut addons, mut sources) = (BTreeSet::new(), BTreeSet::new());
        let (name, version, what, is_own, user) = match entry.what {
            What::Chart(chart) if chart.repository.contains("://") => {
                let what = Versioned::Chart { repository: chart.repository, name: chart.name.clone() };
                let mut users =
                    templates.iter().filter(|it| it.file == chart.used_by && it.has_chart(&chart.name)).peekable();
                if users.peek().is_none() && all_templates.contains(&chart.used_by) {
                    // The templates in that file are those of earlier versions.
                    continue;
                }
                addons.extend(users.filter(|it| it.is_default).map(|template| template.addon().to_owned()));
                (format!("chart {}", chart.name), chart.version, what, !is_vendored(&chart.used_by), chart.used_by)
            }
            What::Git(git) => {
                let Some(reference) = git.reference else { continue };
                let version = reference.trim_start_matches("refs/tags/").to_owned();
                let is_own = is_named(tree, &git.source);
                sources.insert(git.source);
                (format!("base {}", git.repository), version, Versioned::Git(git.repository), is_own, entry.directory)
            }
            What::Chart(_) | What::File(_) => continue,
        };
        let used = all.entry((name, version)).or_insert_with(|| Used::new(what));
        used.is_own |= is_own;
        used.users.insert(user);
        used.addons.append(&mut addons);
        used.sources.append(&mut sources);
    }
    Ok(())
}

/// Returns `true` if a file of the repository itself contains a source.
fn is_named(tree: &Tree, source: &str) -> bool {
    let own = tree.files.iter().filter(|(path, _)| !is_vendored(path) && *path != LOCK_FILE);
    let mut texts = own.filter_map(|(_, bytes)| std::str::from_utf8(bytes).ok());
    texts.any(|text| text.contains(source))
}

/// Where a ClusterManagementAddOn names its default configurations, in v1beta1 and in v1alpha1.
const DEFAULTS: [&str; 2] = ["/spec/defaultConfigs", "/spec/supportedConfigs"];

/// Where a template names its chart.
const CHART: &str = "/metadata/annotations/tidegate.io~1chart";

/// Returns all templates.
fn templates(tree: &Tree) -> Vec<Template> {
    let own = tree.files.iter().filter(|(path, _)| !is_vendored(path) && is_yaml(path));
    let parsed = own.flat_map(|(path, bytes)| {
        let nodes = manifests(Input::of_file(SourceId::default(), bytes)).unwrap_or_default();
        nodes.into_iter().map(move |node: Node| (path.clone(), node))
    });
    let objects: Vec<Template> = parsed
        .filter_map(|(file, node)| {
            Some(Template { file, object: node.to_value().ok()?, is_used: false, is_default: false })
        })
        .collect();
    let mut used = BTreeSet::new();
    objects.iter().for_each(|template| names(&template.object, &mut used));
    let mut default = BTreeSet::new();
    let lists = objects.iter().flat_map(|template| DEFAULTS.iter().filter_map(|list| template.object.pointer(list)));
    lists.for_each(|list| names(list, &mut default));
    let owned = |names: BTreeSet<&str>| names.into_iter().map(str::to_owned).collect::<BTreeSet<String>>();
    let (used, default) = (owned(used), owned(default));
    let is_template = |it: &Template| text(&it.object, "/kind") == "AddOnTemplate";
    let with_use = |it: Template| {
        let name = text(&it.object, "/metadata/name");
        Template { is_used: used.contains(name), is_default: default.contains(name), ..it }
    };
    objects.into_iter().filter(is_template).map(with_use).collect()
}

/// Returns the images of templates.
fn images(templates: &[Template]) -> InUse {
    let mut all = InUse::new();
    templates.iter().for_each(|template| containers(&template.object, template, &mut all));
    all
}

fn is_yaml(path: &str) -> bool {
    path.ends_with(".yaml") || path.ends_with(".yml")
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// Adds the names of the templates that an object refers to.
fn names<'v>(value: &'v Value, used: &mut BTreeSet<&'v str>) {
    match value {
        Value::Object(fields) => {
            if fields.get("resource").and_then(Value::as_str) == Some("addontemplates") {
                used.extend(fields.get("name").and_then(Value::as_str));
            }
            fields.values().for_each(|value| names(value, used));
        }
        Value::Array(items) => items.iter().for_each(|item| names(item, used)),
        _ => {}
    }
}

/// Adds the images with a tag in the containers of a template.
fn containers(value: &Value, template: &Template, all: &mut InUse) {
    match value {
        Value::Object(fields) => {
            let image = fields.get("image").and_then(Value::as_str).filter(|_| fields.contains_key("name"));
            // What is after the last slash: a registry may have a port. A digest has no order.
            let tagged = image.filter(|image| !image.contains(['@', '{'])).and_then(|image| image.rsplit_once(':'));
            if let Some((image, tag)) = tagged.filter(|(_, tag)| !tag.contains('/')) {
                let used = || Used::new(Versioned::Image(image.to_owned()));
                let entry = all.entry((format!("image {image}"), tag.to_owned())).or_insert_with(used);
                entry.is_own = true;
                entry.users.insert(template.addon().to_owned());
                entry.addons.extend(template.is_default.then(|| template.addon().to_owned()));
            }
            fields.values().for_each(|value| containers(value, template, all));
        }
        Value::Array(items) => items.iter().for_each(|item| containers(item, template, all)),
        _ => {}
    }
}

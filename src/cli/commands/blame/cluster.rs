//! `tidegate blame --cluster`: what decides a value that a cluster gets, and where that was written and chosen.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use super::commits::Commits;
use super::object;
use super::pointer::{leaves, step_into};
use super::stop::{Stop, history};
use crate::cli::args::BlameArgs;
use crate::cli::config::File;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use crate::cli::repository::chosen::{Chosen, chosen};
use crate::cli::repository::cluster::{OfflineCluster, addons};
use crate::cli::repository::overlay::Choice;
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_delivery::{Inputs, Origin, Wanted, origins};
use tidegate_kustomize::yaml::{self, Node};
use tidegate_model::name::{NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_plan::Preview;
use tidegate_repository::{Unit, Written};

/// A value that a cluster gets.
#[derive(Debug, Serialize)]
struct Line {
    pointer: String,
    value: Value,
    causes: Vec<Source>,
}

/// Something that decides a value.
#[derive(Debug, Serialize)]
struct Source {
    /// What it is, such as `AddOnTemplate hello-1` or `the name of the cluster`.
    what: String,
    /// The JSON pointer of the value in that object; empty for a value that is not in an object of the repository.
    #[serde(skip_serializing_if = "String::is_empty")]
    pointer: String,
    /// The places where it was written; empty for a value that is not in the repository.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    chain: Vec<Stop>,
}

impl Source {
    fn bare(what: impl Into<String>) -> Self {
        Self { what: what.into(), pointer: String::new(), chain: Vec::new() }
    }

    fn print(&self, level: usize, text: &mut String) {
        let space = "  ".repeat(level);
        let separator = if self.pointer.is_empty() { "" } else { ", " };
        text.push_str(&format!("\n{space}{}{separator}{}", self.what, self.pointer));
        self.chain.iter().for_each(|stop| stop.print(level + 1, text));
    }
}

/// An object that the cluster gets.
struct Object<'a> {
    addon: &'a UnitName,
    declared: &'a Unit,
    placement: Option<NamespacedName>,
    /// Its position among the objects of the add-on.
    position: usize,
    node: Node,
}

/// Prints what decides one value, or every value of an object.
pub(super) fn run(process: &Process, args: &BlameArgs, choice: &Choice, name: &str) -> Result<(), Failure> {
    let directory = choice.directory.as_deref().unwrap_or_default();
    let operator = File::read(args.operator.config.as_deref())?.operator();
    let loaded = tidegate_repository::load_with(&choice.tree, directory, &operator);
    loaded.complaints.iter().filter(|complaint| complaint.is_error()).for_each(|c| process.warn_line(&c.to_string()));
    let cluster = OfflineCluster::new(process, &loaded.repository, &choice.root, name, &args.labels)?;
    let objects = objects(process, &cluster, addons(&loaded.repository, args.addon.as_deref())?)?;
    let nodes: Vec<&Node> = objects.iter().map(|object| &object.node).collect();
    let at = object::find(&nodes, &args.object, &format!("cluster {name} gets"))?;
    let Some(Object { addon, declared, placement, position, node }) = objects.get(at) else { return Ok(()) };

    let written = tidegate_repository::written(&choice.tree, directory);
    let mut search = Search { written: &written, commits: Commits::of(&choice.root, &choice.tree) };
    let chosen = chosen(&written, (*addon, *declared), placement.as_ref(), &cluster.name);
    let content = |resource: &str| {
        let of_kind = chosen.iter().find(|chosen| chosen.is(resource))?;
        Some((&of_kind.key, declared.configurations.get(&of_kind.reference)?.object.as_ref()))
    };
    // Without a template, nothing would have been rendered.
    let Some((template_key, template)) = content(key::ADDON_TEMPLATES) else { return Ok(()) };
    let Some(addon) = declared.addon_name() else { return Ok(()) };
    let (config_key, config) = content(key::ADDON_DEPLOYMENT_CONFIGS).unzip();
    let inputs = Inputs { addon, template, config, cluster: &cluster.cluster };
    let (pointer, value) = step_into(node, &args.pointer)?;
    let mut values = Vec::new();
    leaves(value, pointer, &mut values);
    let line = |(pointer, node): (String, &Node)| {
        let origins = origins(&inputs, &Wanted { position: *position, pointer: &pointer });
        let sources = origins.into_iter().filter_map(|origin| match origin {
            Origin::Template(pointer) => Some(search.value(template_key, pointer)),
            Origin::Config(pointer) => Some(search.value(config_key?, pointer)),
            Origin::ClusterName => Some(Source::bare("the name of the cluster")),
            Origin::Registries => Some(search.registries(name)),
        });
        let mut causes: Vec<Source> = sources.collect();
        if causes.is_empty() {
            causes.push(Source::bare("added when the add-on is rendered, whatever is declared"));
        }
        Line { value: node.to_value().unwrap_or_default(), pointer, causes }
    };
    let lines: Vec<Line> = values.into_iter().map(line).collect();
    let configurations: Vec<Source> = chosen.iter().map(|chosen| search.choice(chosen)).collect();
    if let Some(output) = args.output {
        let document = json!({
            "cluster": name, "addon": addon, "object": args.object, "values": lines, "configurations": configurations,
        });
        return process.say_line(&printed(output, &document)?);
    }
    lines.iter().try_for_each(|line| process.say_line(&described(line)))?;
    let mut text = format!("\n{addon} on {name} has");
    configurations.iter().for_each(|configuration| configuration.print(1, &mut text));
    process.say_line(&text)
}

/// Returns the objects that a cluster gets of some add-ons.
///
/// # Errors
/// [`Failure::Usage`] if it gets none, after printing why.
fn objects<'a>(
    process: &Process,
    cluster: &OfflineCluster<'_>,
    addons: BTreeMap<&'a UnitName, &'a Unit>,
) -> Result<Vec<Object<'a>>, Failure> {
    let (mut objects, mut reasons) = (Vec::new(), Vec::new());
    for (addon, declared) in addons {
        let Some(Preview { rendered, placement }) = cluster.preview(addon, declared)? else {
            reasons.extend(cluster.why_not(addon, declared));
            continue;
        };
        let object = |(position, object): (usize, &Arc<Value>)| {
            let node = Node::from_value(object, yaml::Origin::default());
            Object { addon, declared, placement: placement.clone(), position, node }
        };
        objects.extend(rendered.objects.iter().enumerate().map(object));
    }
    if objects.is_empty() {
        reasons.iter().for_each(|reason| process.warn_line(reason));
        return Err(Failure::Usage(format!("{} gets no objects; see above", cluster.name)));
    }
    Ok(objects)
}

fn described(line: &Line) -> String {
    let mut text = format!("{} = {}", if line.pointer.is_empty() { "/" } else { &line.pointer }, line.value);
    line.causes.iter().for_each(|cause| cause.print(1, &mut text));
    text
}

/// Finds the places and commits of values.
struct Search<'a> {
    written: &'a [Written],
    commits: Commits<'a>,
}

impl Search<'_> {
    /// Returns the source for a value of an object.
    fn value(&mut self, object: &ObjectKey, pointer: String) -> Source {
        let (chain, is_exact) = self.history(object, &pointer);
        let what = if is_exact { object.to_string() } else { format!("{object} (default)") };
        Source { what, pointer, chain }
    }

    /// Returns the source for the annotation of a cluster with image registries.
    fn registries(&mut self, cluster: &str) -> Source {
        let object = object_key::cluster(cluster);
        let annotation = key::IMAGE_REGISTRIES.replace('/', "~1");
        self.value(&object, format!("/metadata/annotations/{annotation}"))
    }

    /// Returns the source for the choice of a configuration.
    fn choice(&mut self, chosen: &Chosen) -> Source {
        let chain = self.history(&chosen.by, &chosen.pointer).0;
        Source { what: chosen.to_string(), pointer: chosen.pointer.clone(), chain }
    }

    /// Returns the history of a value, or of the nearest one around it, and whether it is that of the value itself.
    fn history(&mut self, object: &ObjectKey, pointer: &str) -> (Vec<Stop>, bool) {
        let Some(written) = self.written.iter().find(|written| written.key == *object) else {
            return (Vec::new(), true);
        };
        let (node, is_exact) = written.value(pointer);
        let mut chain = history(node.origin, &written.provenance);
        chain.iter_mut().for_each(|stop| stop.date(&mut self.commits));
        (chain, is_exact)
    }
}

//! `tidegate explain --why-different`: why two clusters get different manifests of an add-on.

use std::fmt::Write as _;
use std::sync::Arc;

use owo_colors::OwoColorize as _;
use serde::Serialize;
use serde_json::json;

use super::values::{Difference, Manifests, differences};
use crate::cli::args::ExplainArgs;
use crate::cli::config::File;
use crate::cli::failure::Failure;
use crate::cli::journal::reader::Reader;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use crate::cli::repository::chosen::{Chosen, chosen};
use crate::cli::repository::cluster::described;
use tidegate_api::key;
use tidegate_api::ocm::addon_deployment_config::AddOnDeploymentConfigSpec;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_delivery::{Origin, Subject, render};
use tidegate_journal::Journal;
use tidegate_journal::record::{AddonStatus, ClusterReport, Clusters};
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::line::one_line;
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_model::near::nearest;
use tidegate_model::object::ObjectKey;
use tidegate_model::revision::CommitId;
use tidegate_repository::{Unit, Written};

/// Why two clusters differ.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    addon: &'a UnitName,
    clusters: [&'a ClusterName; 2],
    /// The revision whose manifests are compared.
    revision: &'a CommitId,
    /// What is different about the clusters.
    reasons: Vec<Reason>,
    /// The values that differ once both clusters have what the revision gives them.
    values: Vec<Reason>,
}

/// Something that is different about two clusters.
#[derive(Debug, Serialize)]
struct Reason {
    what: String,
    sides: [String; 2],
}

impl Reason {
    /// Returns the reason, unless both sides are equal.
    fn of(what: &str, sides: [String; 2]) -> Option<Self> {
        let [a, b] = &sides;
        (a != b).then(|| Self { what: what.to_owned(), sides })
    }
}

/// One of the two clusters.
struct Subjected<'a> {
    name: &'a ClusterName,
    record: &'a ClusterReport,
    placement: Option<NamespacedName>,
    cluster: ManagedCluster,
    chosen: Vec<Chosen>,
}

/// Prints why two clusters get different manifests.
pub(super) async fn run(
    process: &Process,
    args: &ExplainArgs,
    reader: &Reader,
    journal: &Journal,
    (status, clusters): (&AddonStatus, &Clusters),
) -> Result<(), Failure> {
    let addon = &status.addon;
    let [a, b] = match args.why_different.as_slice() {
        [a, b] if a == b => return Err(Failure::Usage(format!("--why-different names {a} twice; name two clusters"))),
        [a, b] => [find(addon, clusters, a)?, find(addon, clusters, b)?],
        _ => return Err(Failure::Usage("--why-different takes the names of two clusters".to_owned())),
    };
    let sync = journal.sync.as_ref();
    let revision = sync.and_then(|sync| sync.addons.get(addon).or(sync.seen.as_ref().map(|seen| &seen.commit)));
    let revision = revision.ok_or_else(|| {
        Failure::Usage(format!(
            "the journal does not name the revision that {addon} follows; a running daemon writes it"
        ))
    })?;
    let tree = reader.tree(revision).await?;
    let operator = File::read(args.source.config.as_deref())?.operator();
    let repository = tidegate_repository::load_with(&tree, "", &operator).repository;
    let declared = repository.addons.get(addon).ok_or_else(|| {
        let complaint = repository.blocked.get(addon).and_then(|complaints| complaints.first());
        let why = complaint.map(|complaint| format!(": {complaint}")).unwrap_or_default();
        Failure::Usage(format!("revision {} does not declare a usable {addon}{why}", revision.short()))
    })?;
    let written = tidegate_repository::written(&tree, "");
    let sides = [a, b].map(|(name, record)| {
        let placement = placement_of(record, status);
        let chosen = chosen(&written, (addon, declared), placement.as_ref(), name);
        Subjected { name, record, placement, cluster: described(&repository, name), chosen }
    });
    let [left, right] = &sides;
    let values = match (declared.addon_name(), manifests(addon, declared, left)?, manifests(addon, declared, right)?) {
        (Some(name), Some(a), Some(b)) => values(&differences(name, [&a, &b]), &sides, &written),
        _ => Vec::new(),
    };
    let answer = Answer {
        addon,
        clusters: [left.name, right.name],
        revision,
        reasons: reasons(status, &sides, &written),
        values,
    };
    match args.output {
        Some(output) => process.say_line(&printed(output, &json!(answer))?),
        None => process.say(&described_answer(&answer)),
    }
}

/// Returns the values that differ, each with what decides it on both sides.
fn values(found: &[Difference], sides: &[Subjected<'_>; 2], written: &[Written]) -> Vec<Reason> {
    let [left, right] = sides;
    // A template that both have is no reason for a difference.
    let has_template = |side: &Subjected<'_>| {
        side.chosen.iter().find(|chosen| chosen.is(key::ADDON_TEMPLATES)).map(|chosen| chosen.key.clone())
    };
    let is_shared = has_template(left) == has_template(right);
    let is_reason = |origin: &&Origin| !(is_shared && matches!(origin, Origin::Template(_)));
    let value = |difference: &Difference| {
        let what = format!("{} {}", difference.object, difference.pointer);
        let side = |at: usize| {
            let (Some(side), Some(of)) = (difference.sides.get(at), sides.get(at)) else { return String::new() };
            let why: Vec<String> =
                side.origins.iter().filter(is_reason).filter_map(|origin| why(origin, of, written)).collect();
            let why = if why.is_empty() { String::new() } else { format!("  ({})", why.join("; ")) };
            format!("{}{why}", side.value.as_deref().unwrap_or("(none)"))
        };
        Reason { what: what.trim_end().to_owned(), sides: [side(0), side(1)] }
    };
    found.iter().map(value).collect()
}

fn find<'a>(
    addon: &UnitName,
    clusters: &'a Clusters,
    name: &str,
) -> Result<(&'a ClusterName, &'a ClusterReport), Failure> {
    clusters.get_key_value(name).ok_or_else(|| {
        let remedy = match nearest(name, clusters.keys().map(ClusterName::as_str)) {
            Some(near) => format!("did you mean {near:?}?"),
            None => format!("`tidegate status {addon}` lists the clusters that have it"),
        };
        Failure::Usage(format!("no placement of {addon} selects a cluster {name:?}; {remedy}"))
    })
}

/// Returns the placement of a cluster. Its record names it only if the add-on has several.
fn placement_of(record: &ClusterReport, status: &AddonStatus) -> Option<NamespacedName> {
    let only = || status.placements.first().map(|placement| placement.placement.as_str());
    let name = if record.placement.is_empty() { only()? } else { &record.placement };
    name.split_once('/').map(|(namespace, name)| NamespacedName::new(namespace, name))
}

/// Returns what is different about two clusters, apart from their manifests.
fn reasons(status: &AddonStatus, sides: &[Subjected<'_>; 2], written: &[Written]) -> Vec<Reason> {
    let has = |side: &Subjected<'_>| {
        let ClusterReport { version, state, reason, hash, .. } = side.record;
        let version = if version.is_empty() { "nothing yet" } else { version };
        let why = if reason.is_empty() { String::new() } else { format!(": {}", one_line(reason)) };
        (hash.clone(), format!("{version} (hash {hash}), {state}{why}"))
    };
    let [(hash_a, has_a), (hash_b, has_b)] = sides.each_ref().map(has);
    let has = (hash_a != hash_b).then_some([has_a, has_b]).and_then(|sides| Reason::of("has", sides));
    let placement =
        |side: &Subjected<'_>| side.placement.as_ref().map_or_else(|| "chosen by hand".to_owned(), ToString::to_string);
    let group = |side: &Subjected<'_>| {
        let Some(index) = side.record.group else { return "none".to_owned() };
        let wanted = side.placement.as_ref().map(ToString::to_string);
        let placements = status.placements.iter().filter(|record| Some(&record.placement) == wanted.as_ref());
        let name = placements.flat_map(|record| &record.groups).find(|group| group.index == index);
        let name = name.map(|group| group.name.as_str()).filter(|name| !name.is_empty());
        format!("{index}{}", name.map(|name| format!(" ({name:?})")).unwrap_or_default())
    };
    let mut found: Vec<Reason> = has.into_iter().collect();
    found.extend(Reason::of("placement", sides.each_ref().map(placement)));
    found.extend(Reason::of("group", sides.each_ref().map(group)));
    let kinds = [(key::ADDON_TEMPLATES, "AddOnTemplate"), (key::ADDON_DEPLOYMENT_CONFIGS, "AddOnDeploymentConfig")];
    for (resource, kind) in kinds {
        let named = |side: &Subjected<'_>| {
            let Some(chosen) = side.chosen.iter().find(|chosen| chosen.is(resource)) else { return "none".to_owned() };
            let place = place(&chosen.by, &chosen.pointer, written);
            let name = NamespacedName::new(&chosen.key.namespace, &chosen.key.name);
            format!("{name}, {}{}", chosen.layer(), place.map(|place| format!(" ({place})")).unwrap_or_default())
        };
        found.extend(Reason::of(kind, sides.each_ref().map(named)));
    }
    found
}

/// Returns what a cluster gets; `None` without a template.
fn manifests<'a>(
    addon: &UnitName,
    declared: &'a Unit,
    side: &'a Subjected<'_>,
) -> Result<Option<Manifests<'a>>, Failure> {
    let content = |resource: &str| {
        let chosen = side.chosen.iter().find(|chosen| chosen.is(resource))?;
        Some(declared.configurations.get(&chosen.reference)?.object.as_ref())
    };
    let Some((name, template)) = declared.addon_name().zip(content(key::ADDON_TEMPLATES)) else { return Ok(None) };
    let config = content(key::ADDON_DEPLOYMENT_CONFIGS);
    let failed = |error: &dyn std::error::Error| {
        Failure::Usage(format!("{addon} cannot be rendered for {}: {}", side.name, ErrorChain(error)))
    };
    let spec = config.map(AddOnDeploymentConfigSpec::of).transpose().map_err(|error| failed(&error))?;
    let subject = Subject { addon: name, template, config: spec.as_ref(), cluster: &side.cluster };
    let rendered = render(&subject).map_err(|error| failed(&error))?;
    let objects = rendered.objects.into_iter().map(Arc::unwrap_or_clone).collect();
    Ok(Some(Manifests { objects, template, config, cluster: &side.cluster }))
}

/// Describes what decides a value, with its place.
fn why(origin: &Origin, side: &Subjected<'_>, written: &[Written]) -> Option<String> {
    let of = |resource: &str, pointer: &str| {
        let chosen = side.chosen.iter().find(|chosen| chosen.is(resource))?;
        let place = place(&chosen.key, pointer, written).map(|place| format!(" at {place}")).unwrap_or_default();
        Some(format!("{} {pointer}{place}", chosen.key))
    };
    match origin {
        Origin::Template(pointer) => of(key::ADDON_TEMPLATES, pointer),
        Origin::Config(pointer) => of(key::ADDON_DEPLOYMENT_CONFIGS, pointer),
        Origin::ClusterName => Some("the name of the cluster".to_owned()),
        Origin::Registries => Some(format!("annotation {} of the cluster", key::IMAGE_REGISTRIES)),
    }
}

/// Returns the place of a value, or of the nearest one around it, as `file:line:column`.
fn place(object: &ObjectKey, pointer: &str, written: &[Written]) -> Option<String> {
    let written = written.iter().find(|written| written.key == *object)?;
    let (node, _) = written.value(pointer);
    Some(written.provenance.place(node.origin).to_string())
}

fn described_answer(answer: &Answer<'_>) -> String {
    let Answer { addon, clusters: [a, b], revision, reasons, values } = answer;
    let width = a.as_str().len().max(b.as_str().len()) + 1;
    let lines = |reasons: &[Reason]| {
        let mut text = String::new();
        for Reason { what, sides: [of_a, of_b] } in reasons {
            // Writing into a String cannot fail.
            let _ = writeln!(text, "  {}", one_line(what));
            for (name, side) in [(a, of_a), (b, of_b)] {
                let _ = writeln!(text, "    {:<width$} {}", format!("{name}:"), one_line(side));
            }
        }
        text
    };
    let revision = revision.short();
    let outcome = match values.as_slice() {
        [] => format!("revision {revision} gives both the same manifests\n"),
        values => format!("\nvalues that differ once both have what revision {revision} gives them\n{}", lines(values)),
    };
    format!("{} on {} and {}\n{}{outcome}", addon.bold(), a.bold(), b.bold(), lines(reasons))
}

//! Compares the control files with the declarations: names that do not exist, and decisions without effect.

use std::collections::BTreeSet;

use super::digest_start::DigestStart;
use super::name::FLEET;
use super::read::ControlFile;
use super::types::{Control, Controls};
use crate::complaint::{Complaint, Rule};
use crate::read::origin::value_origin;
use crate::types::Repository;
use tidegate_api::schema::path::{Path, Step};
use tidegate_kustomize::yaml::{Node, Origin};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::near::{nearest, remedy};

/// Adds complaints about control files that do not fit the declarations. They change nothing about what is in force.
pub(crate) fn check(files: &[ControlFile], repository: &Repository, complaints: &mut Vec<Complaint>) {
    let known = repository.addons.keys().chain(repository.blocked.keys()).chain(repository.candidates.keys());
    let known: BTreeSet<&str> = known.map(UnitName::as_str).collect();
    for file in files {
        let Some(control) = of(&repository.controls, file) else { continue };
        let mut found = clusters(file, control, repository);
        match &file.addon {
            Some(addon) if !known.contains(addon.as_str()) => found.push(unknown(file, addon, &known)),
            Some(addon) => found.extend(digests(file, control, addon, repository)),
            None => {}
        }
        complaints.extend(found.into_iter().map(|found| Complaint::new(Rule::Control, found)));
    }
}

fn of<'a>(controls: &'a Controls, file: &ControlFile) -> Option<&'a Control> {
    match &file.addon {
        Some(addon) => controls.addons.get(addon),
        None => Some(&controls.fleet),
    }
}

fn unknown(file: &ControlFile, addon: &UnitName, known: &BTreeSet<&str>) -> Diagnostic {
    let names = known.iter().copied().chain([FLEET]);
    let remedy = match nearest(addon.as_str(), names) {
        Some(near) => format!("did you mean {near:?}?"),
        None => "rename the file, or remove it".to_owned(),
    };
    let message = format!("the repository has no add-on {:?}, so this file has no effect; {remedy}", addon.as_str());
    Diagnostic::error(Place::start_of(&file.path), message)
}

/// Warns about decisions for another digest than the one of the add-on.
fn digests(file: &ControlFile, control: &Control, addon: &UnitName, repository: &Repository) -> Vec<Diagnostic> {
    // The digest of a blocked add-on is that of an earlier revision.
    let Some(digest) = repository.digest(addon).filter(|_| !repository.blocked.contains_key(addon)) else {
        return Vec::new();
    };
    let decided: [(&str, Option<&DigestStart>); 2] = [
        ("abort", control.abort.as_ref().map(|abort| &abort.digest)),
        ("retry", control.retry.as_ref().map(|retry| &retry.digest)),
    ];
    let void =
        decided.into_iter().filter_map(|(name, start)| Some((name, start.filter(|start| !start.starts(digest))?)));
    void.map(|(name, start)| {
        let message = format!(
            "{name} has no effect: the digest of {addon} is {}, and not {start}; remove it, or correct the digest",
            digest.short()
        );
        let origin = value_origin(&file.node, &Path::default().member(name).member("digest"));
        file.provenance.resolve(origin.warning(message))
    })
    .collect()
}

/// Warns about clusters that are not declared, if any cluster is.
fn clusters(file: &ControlFile, control: &Control, repository: &Repository) -> Vec<Diagnostic> {
    if repository.clusters.is_empty() {
        return Vec::new();
    }
    let field = |name: &str| Path::default().member(name);
    let retry = control.retry.iter().filter_map(|retry| Some((field("retry"), retry.clusters.as_ref()?)));
    let quarantine = control.quarantine.iter().enumerate();
    let quarantine = quarantine.map(|(index, quarantine)| (field("quarantine").item(index), &quarantine.clusters));
    let mut found = Vec::new();
    for (field, clusters) in retry.chain(quarantine) {
        for cluster in clusters.iter().filter(|cluster| !repository.clusters.contains_key(*cluster)) {
            let near = nearest(cluster.as_str(), repository.clusters.keys().map(ClusterName::as_str));
            let remedy = near.map_or_else(
                || "check the name; a cluster need not be declared".to_owned(),
                |near| remedy(cluster.as_str(), [near]),
            );
            let message = format!("{field}: no cluster {:?} is declared; {remedy}", cluster.as_str());
            found.push(file.provenance.resolve(origin_of(file, &field, cluster).warning(message)));
        }
    }
    found
}

/// Returns where a field names a cluster.
fn origin_of(file: &ControlFile, field: &Path, cluster: &ClusterName) -> Origin {
    let path = field.member("clusters");
    let list = path.0.iter().try_fold(&file.node, |node, step| match step {
        Step::Member(name) => node.get(name),
        Step::Item(index) => node.as_sequence()?.get(*index),
    });
    let items = list.and_then(Node::as_sequence).unwrap_or_default();
    match items.iter().position(|item| item.as_str() == Some(cluster.as_str())) {
        Some(index) => value_origin(&file.node, &path.item(index)),
        None => value_origin(&file.node, &path),
    }
}

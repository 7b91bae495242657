//! The objects that an application renders.

use std::collections::BTreeMap;

use serde_json::Value;

use super::schema::listed;
use super::{container, images, pod};
use crate::application::deployment::MOST_COMPONENTS;
use crate::application::ownership::Applying;
use crate::application::sources::chart::{HELM, has_failed};
use crate::application::sources::overlay::KUSTOMIZE;
use crate::application::{self, COMPONENTS, LONGEST_NAME, OBJECTS, Parsed, Rendered};
use crate::check::manifest::check_manifests;
use crate::check::template::identity;
use crate::definition::Definitions;
use crate::read::notes::Notes;
use crate::settings::Images;
use tidegate_api::key;
use tidegate_api::schema::path::Path;
use tidegate_delivery::{ReadyWhen, scaled};
use tidegate_model::object::ObjectKey;

/// Adds the problems of the objects that an application renders: an object that is rendered twice, and what an API server refuses.
pub(super) fn check(notes: &mut Notes<'_>, definitions: &Definitions) {
    let has_failed = listed(&notes.object.value, "/spec/components").any(|(_, component)| has_failed(component));
    if has_failed || has_errors(notes) {
        // What it renders is not what it means.
        return;
    }
    for objects in application::rendered(notes.object, definitions) {
        of_deployment(notes, objects, definitions.images);
        if has_errors(notes) {
            return;
        }
    }
}

/// Adds a complaint if an application has too many components, or two of one name. Returns `true` if it does.
pub(super) fn is_excessive(notes: &mut Notes<'_>) -> bool {
    let object = notes.object;
    let size = application::size(object);
    if size > MOST_COMPONENTS {
        let message = format!(
            "the application has {size} components, those of each policy that selects clusters counted apart; {MOST_COMPONENTS} are allowed, so split it"
        );
        notes.error(object.origin_of(&["spec"]), message);
        return true;
    }
    if has_errors(notes) {
        return false;
    }
    let Some((at, name)) = Parsed::read(&object.value).ok().and_then(|parsed| parsed.repeated()) else { return false };
    notes.error(
        object.value_origin(&at),
        format!("{at} makes two components {name}; rename a component, or choose other keys"),
    );
    true
}

/// Returns `true` if an error was found already.
pub(super) fn has_errors(notes: &Notes<'_>) -> bool {
    notes.complaints.iter().any(|complaint| complaint.diagnostic.is_error())
}

/// Adds the problems of the objects of one deployment, each with the place of its component.
fn of_deployment(notes: &mut Notes<'_>, mut objects: Vec<Rendered>, images: Images) {
    if objects.is_empty() {
        let message = "the application has no objects for some clusters; keep a component in each override";
        notes.error(notes.object.origin_of(&["spec"]), message);
    }
    repeated(notes, &objects);
    if has_errors(notes) {
        return;
    }
    let within: Vec<Rendered> = objects.iter().filter_map(workload_of).collect();
    within.iter().for_each(|workload| unseen(notes, workload));
    objects.extend(within);
    contested(notes, &objects);
    images::check(notes, &objects, images);
    // An application has no variables, and a text that looks like one is checked like any other.
    objects.iter_mut().for_each(|rendered| without_variables(&mut rendered.object));
    let manifest = |(index, rendered): (usize, &Rendered)| {
        let key = ObjectKey::of(&rendered.object).map(|key| format!("({} {})", key.kind, key.name));
        rendered.at.member(&key.unwrap_or_else(|| format!("(object {})", index + 1)))
    };
    let objects = &objects;
    let manifests: Vec<(Path, &Value)> =
        objects.iter().enumerate().map(|object| (manifest(object), &object.1.object)).collect();
    check_manifests(notes, &manifests);
    for (rendered, (at, object)) in objects.iter().zip(&manifests) {
        if ![OBJECTS, KUSTOMIZE, HELM].contains(&rendered.type_.as_str()) {
            pod::check(notes, at, object);
            container::check(notes, rendered, at);
        }
        // What a definition renders may be anything.
        identity(notes, at, object);
        hook(notes, at, object);
        conditions(notes, at, object);
        batches(notes, at, rendered);
        if COMPONENTS.schema(&rendered.type_).is_none() {
            long_name(notes, at, object);
        }
    }
}

/// Returns the workload in a ControllerRevision that is the revision of a component.
fn workload_of(rendered: &Rendered) -> Option<Rendered> {
    let ObjectKey { group, kind, .. } = ObjectKey::of(&rendered.object)?;
    let is_made = (group.as_str(), kind.as_str()) == ("apps", "ControllerRevision")
        && rendered.object.pointer("/metadata/annotations").is_some_and(|all| all.get(key::DELETION_ORPHAN).is_some());
    let workload = rendered.object.pointer("/data/spec/workload").filter(|_| is_made)?.clone();
    Some(Rendered { object: workload, ..rendered.clone() })
}

/// Adds a complaint about the conditions of a workload that a controller on the cluster makes: its agent does not report on it.
fn unseen(notes: &mut Notes<'_>, Rendered { at, object, .. }: &Rendered) {
    if ReadyWhen::of(object).is_some() {
        let why = "its workload has conditions in readyWhen, but a controller on the cluster makes it, so nothing about it is reported";
        notes.error(notes.object.value_origin(at), format!("{at}: {why}; remove readyWhen of the first object"));
    }
}

/// Adds a complaint about a workload of a defined type whose name is too long: Kubernetes adds to the names of some, and puts them into labels.
fn long_name(notes: &mut Notes<'_>, at: &Path, object: &Value) {
    let Some(ObjectKey { kind, name, .. }) = ObjectKey::of(object) else { return };
    let longest = ["CronJob", "Job", "StatefulSet"].contains(&kind.as_str()).then_some(LONGEST_NAME);
    if let Some(longest) = longest.filter(|longest| name.len() > *longest) {
        let message = format!(
            "{at} has a name of {} characters; a {kind} has at most {longest}, so write a shorter name",
            name.len()
        );
        notes.error(notes.object.value_origin(at), message);
    }
}

/// Adds a complaint about each workload whose replicas a trait `rollout` replaces in batches, and that an autoscaler of another component scales.
fn contested(notes: &mut Notes<'_>, objects: &[Rendered]) {
    let sized = objects.iter().filter(|rendered| rendered.is_sized);
    let sized: BTreeMap<ObjectKey, &Path> =
        sized.filter_map(|rendered| Some((ObjectKey::of(&rendered.object)?, &rendered.at))).collect();
    let autoscalers = objects.iter().filter(|_| !sized.is_empty());
    for (rendered, key) in autoscalers.filter_map(|rendered| Some((rendered, ObjectKey::of(&rendered.object)?))) {
        for target in scaled([&rendered.object]) {
            let Some(at) = sized.get(&target) else { continue };
            let message = format!(
                "{} renders {key}, which sets the number of replicas of {target}, and so does the trait rollout of {at}; keep one of the two",
                rendered.at
            );
            notes.error(notes.object.value_origin(&rendered.at), message);
        }
    }
}

/// Adds a complaint about each object that is rendered twice, since only the last one would reach the clusters, and about invalid names.
fn repeated(notes: &mut Notes<'_>, objects: &[Rendered]) {
    let mut first: BTreeMap<ObjectKey, &Path> = BTreeMap::new();
    for (at, key) in objects.iter().filter_map(|rendered| Some((&rendered.at, ObjectKey::of(&rendered.object)?))) {
        match first.get(&key) {
            Some(earlier) => {
                let message = match *earlier == at {
                    true => format!("{at} renders {key} twice, with its traits; remove or rename one"),
                    false => format!("{at} renders {key}, and so does {earlier}; remove or rename one"),
                };
                notes.error(notes.object.value_origin(at), message);
            }
            None => {
                // Kubernetes: the name of a Service is a DNS-1035 label.
                if key.kind == "Service" && !key.name.starts_with(|first: char| first.is_ascii_lowercase()) {
                    let message =
                        format!("{at} renders {key}, but the name of a Service begins with a letter; rename it");
                    notes.error(notes.object.value_origin(at), message);
                }
                first.insert(key, at);
            }
        }
    }
}

/// Adds a complaint about an object that is marked as a pre-delete hook, and so would not be delivered.
pub(super) fn hook(notes: &mut Notes<'_>, at: &Path, object: &Value) {
    for member in ["annotations", "labels"] {
        if object.get("metadata").and_then(|metadata| metadata.get(member)?.get(key::PRE_DELETE)).is_some() {
            let at = at.member("metadata").member(member).member(key::PRE_DELETE);
            let message = format!("{at} marks a pre-delete hook, and applications have no hooks; remove it");
            notes.error(notes.object.key_origin(&at), message);
        }
    }
}

/// Adds a complaint about an object whose conditions cannot be judged.
fn conditions(notes: &mut Notes<'_>, at: &Path, object: &Value) {
    if let Some(Err(unjudged)) = ReadyWhen::of(object) {
        let at = at.member("metadata").member("annotations").member(key::READY_WHEN);
        notes.error(
            notes.object.value_origin(&at),
            format!("{at} {unjudged}; correct it, or write readyWhen in a definition"),
        );
    }
}

/// Adds a complaint about batches that are not those of the trait `rollout`, and about a policy with which a cluster would not get them.
fn batches(notes: &mut Notes<'_>, at: &Path, rendered: &Rendered) {
    let annotation = at.member("metadata").member("annotations").member(key::BATCHES);
    let has_batches =
        rendered.object.pointer("/metadata/annotations").is_some_and(|all| all.get(key::BATCHES).is_some());
    if !has_batches {
        return;
    }
    if !rendered.is_sized {
        let message = format!("{annotation} has the batches of the trait rollout; remove it, and write the trait");
        notes.error(notes.object.value_origin(&annotation), message);
    } else if ![Applying::Fields, Applying::TakeOver].contains(&rendered.applying) {
        let message = format!(
            "{} has batches by its trait rollout, and a policy leaves the workload to others; remove one of the two",
            rendered.at
        );
        notes.error(notes.object.value_origin(&rendered.at), message);
    }
}

/// Replaces what would be the beginning of a variable in a template.
fn without_variables(value: &mut Value) {
    match value {
        Value::String(text) if text.contains("{{") => *text = text.replace("{{", "{ {"),
        Value::Array(items) => items.iter_mut().for_each(without_variables),
        Value::Object(members) => members.values_mut().for_each(without_variables),
        _ => {}
    }
}

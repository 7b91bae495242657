//! The containers that an application renders: images and amounts that a cluster refuses, and a schema does not show.
//!
//! # Source
//! Kubernetes `pkg/apis/core/validation`, `ValidateResourceRequirements`; the kubelet reads images with `github.com/distribution/reference`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::image_name::mistake;
use super::schema::listed;
use crate::application::Rendered;
use crate::application::ownership::pointer;
use crate::read::notes::Notes;
use tidegate_api::schema::path::Path;
use tidegate_go::quantity::Quantity;
use tidegate_model::object::ObjectKey;

/// API groups whose workloads have the pods of Kubernetes. Controllers of other groups may read images and amounts in their own way.
const GROUPS: [&str; 3] = ["apps", "apps.kruise.io", "batch"];

/// Adds the problems of the containers of a rendered workload. `at` is the path of the workload in messages.
pub(super) fn check(notes: &mut Notes<'_>, rendered: &Rendered, at: &Path) {
    if !ObjectKey::of(&rendered.object).is_some_and(|key| GROUPS.contains(&&*key.group)) {
        return;
    }
    let pointers = ["/spec/template/spec", "/spec/jobTemplate/spec/template/spec"];
    let pod = pointers.into_iter().find(|pointer| rendered.object.pointer(pointer).is_some());
    let Some(pod) = pod else { return };
    let at = pod.split('/').skip(1).fold(at.clone(), |at, member| at.member(member));
    for list in ["initContainers", "containers"] {
        for (index, container) in listed(&rendered.object, &format!("{pod}/{list}")) {
            let at = at.member(list).item(index);
            image(notes, (rendered, &at), container);
            amounts(notes, &at.member("resources"), container);
        }
    }
}

/// Adds a complaint about an image that no cluster can pull, at the place where it is written.
fn image(notes: &mut Notes<'_>, (rendered, at): (&Rendered, &Path), container: &Value) {
    let Some(image) = container.get("image").and_then(Value::as_str) else { return };
    let Some(why) = mistake(image) else { return };
    let component = notes.object.value.pointer(&pointer(&rendered.at.to_string()));
    let at = component.and_then(|component| written(component, &rendered.at, image)).unwrap_or(at.member("image"));
    let message = format!("{at} is {image:?}, which is not an image: {why}; write one such as example.com/web:1.4.0");
    notes.error(notes.object.value_origin(&at), message);
}

/// Returns the path of a string in a value.
pub(super) fn written(value: &Value, at: &Path, text: &str) -> Option<Path> {
    match value {
        Value::String(found) => (found == text).then(|| at.clone()),
        Value::Array(items) => items.iter().enumerate().find_map(|(index, item)| written(item, &at.item(index), text)),
        Value::Object(members) => members.iter().find_map(|(name, value)| written(value, &at.member(name), text)),
        _ => None,
    }
}

/// Adds a complaint about each amount below 0, and about each that is requested beyond its limit.
fn amounts(notes: &mut Notes<'_>, at: &Path, container: &Value) {
    let amount = |of: &str, name: &str| {
        let value = container.get("resources")?.get(of)?.get(name)?;
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Some((text.parse::<Quantity>().ok()?, text))
    };
    let mut negative: BTreeSet<&String> = BTreeSet::new();
    for of in ["requests", "limits"] {
        let names = container.get("resources").and_then(|resources| resources.get(of)?.as_object());
        for name in names.into_iter().flat_map(|names| names.keys()) {
            let Some((is, text)) = amount(of, name) else { continue };
            let at = at.member(of).member(name);
            // What is requested is the limit by default, and is reported once.
            if is.sign() < 0 && negative.insert(name) {
                let message = format!("{at} is {text}, less than 0, so that clusters refuse it; write a larger amount");
                notes.error(notes.object.value_origin(&at), message);
            }
            if let Some((limit, of_limit)) = amount("limits", name).filter(|_| of == "requests")
                && limit.compare(&is).is_lt()
            {
                let message = format!(
                    "{at} is {text}, more than its limit, which is {of_limit}, so that clusters refuse it; correct one of the two"
                );
                notes.error(notes.object.value_origin(&at), message);
            }
        }
    }
}

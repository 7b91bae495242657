//! The images of pods, and their references rewritten to other registries.

use serde_json::{Map, Value};

use tidegate_api::key;
use tidegate_api::ocm::addon_deployment_config::ImageMirror;
use tidegate_api::ocm::managed_cluster::ManagedCluster;

use crate::error::Error;

/// Returns the images of the pods of an object, each with the path of its field.
pub fn images(object: &Value) -> Vec<(String, &str)> {
    const PODS: [&[&str]; 3] =
        [&["spec"], &["spec", "template", "spec"], &["spec", "jobTemplate", "spec", "template", "spec"]];
    const LISTS: [(&str, &[&str]); 3] =
        [("initContainers", &["image"]), ("containers", &["image"]), ("volumes", &["image", "reference"])];
    let mut found = Vec::new();
    for (pod, (list, field)) in PODS.into_iter().flat_map(|pod| LISTS.map(|list| (pod, list))) {
        let items = below(object, pod).and_then(|pod| pod.get(list)?.as_array());
        for (index, item) in items.into_iter().flatten().enumerate() {
            let image = below(item, field).and_then(Value::as_str);
            found.extend(image.map(|image| (format!("{}.{list}[{index}].{}", pod.join("."), field.join(".")), image)));
        }
    }
    found
}

/// Returns the value at a path of fields.
fn below<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, member| value.get(member))
}

/// Returns the image after the replacements. Each is tried on the original image, and the last one that changes it wins.
///
/// # Source
/// OCM addon-framework `OverrideImage`: the source is compared as a plain prefix, so `quay.io/x` also matches
/// `quay.io/xx/c:1`.
pub(super) fn overridden(image: &str, mirrors: &[ImageMirror]) -> String {
    let replaced = mirrors.iter().rev().map(|entry| replaced(image, entry)).find(|replaced| replaced != image);
    replaced.unwrap_or_else(|| image.to_owned())
}

fn replaced(image: &str, entry: &ImageMirror) -> String {
    let trimmed = |text: &str| text.strip_suffix('/').unwrap_or(text).to_owned();
    let (source, mirror) = (trimmed(&entry.source), trimmed(&entry.mirror));
    let last_segment = image.rsplit('/').next().unwrap_or(image);
    match (source.is_empty(), mirror.is_empty()) {
        (true, true) => last_segment.to_owned(),
        (true, false) => format!("{mirror}/{last_segment}"),
        (false, _) => image.strip_prefix(&source).map_or_else(|| image.to_owned(), |rest| format!("{mirror}{rest}")),
    }
}

/// Reads the registries from the annotation of a cluster; `None` if it lists none.
///
/// # Errors
/// [`Error::ImageRegistries`] if the annotation is malformed.
pub(super) fn registries_of(cluster: &ManagedCluster) -> Result<Option<Vec<ImageMirror>>, Error> {
    let annotation = cluster.metadata.annotations.iter().flatten().find(|(name, _)| *name == key::IMAGE_REGISTRIES);
    let Some((_, text)) = annotation.filter(|(_, text)| !text.is_empty()) else { return Ok(None) };
    let mirrors = serde_json::from_str::<Value>(text).ok().and_then(|document| mirrors(&document));
    let unreadable = || Error::ImageRegistries { cluster: cluster.metadata.name.clone().unwrap_or_default() };
    Ok(Some(mirrors.ok_or_else(unreadable)?).filter(|mirrors| !mirrors.is_empty()))
}

fn mirrors(document: &Value) -> Option<Vec<ImageMirror>> {
    let mirror = |entry: &Value| {
        let entry = entry.as_object()?;
        Some(ImageMirror { source: text(entry, "source")?, mirror: text(entry, "mirror")? })
    };
    match member(document.as_object()?, "registries") {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(list) => list.as_array()?.iter().map(mirror).collect(),
    }
}

fn text(entry: &Map<String, Value>, name: &str) -> Option<String> {
    match member(entry, name) {
        None | Some(Value::Null) => Some(String::new()),
        Some(value) => value.as_str().map(str::to_owned),
    }
}

/// Finds a field as Go does, ignoring case.
fn member<'a>(members: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    members.get(name).or_else(|| members.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value))
}

//! How messages name a work, and an object in it, and its identifier.

use serde_json::Value;

use tidegate_api::ocm::manifest_work::{ManifestResourceMeta, ManifestWork, ResourceIdentifier};
use tidegate_model::json_text::JsonText;
use tidegate_model::line::brief;

use crate::go_object::unstructured::text;
use crate::template::image;
use crate::template::workload::Kind;

/// Most characters of the name of an object.
const WIDEST: usize = 200;
/// Most characters of an image.
const WIDEST_IMAGE: usize = 150;
/// Most images of an object that are named.
const IMAGES: usize = 3;

pub(super) fn named_work(work: &ManifestWork) -> String {
    brief(&format!("ManifestWork {}", work.metadata.name.as_deref().unwrap_or_default()), WIDEST)
}

/// Returns the identifier of an object that a cluster reports. That of a workload depends on its kind alone.
pub(super) fn identifier(meta: &ManifestResourceMeta) -> ResourceIdentifier {
    let ManifestResourceMeta { group, resource, name, namespace, .. } = meta.clone();
    let resource = Kind::of_report(meta).map_or(resource, |kind| kind.resource().to_owned());
    ResourceIdentifier { group, resource, name, namespace }
}

/// Returns `true` if a report is about an object. Of two kinds with one resource, only one is meant.
pub(super) fn is_about(meta: &ManifestResourceMeta, object: &ResourceIdentifier) -> bool {
    Kind::of_report(meta) == Kind::of(&object.group, &object.resource) && identifier(meta) == *object
}

/// Returns the kind and name of an object, with its images if it is a workload.
pub(super) fn object(work: &ManifestWork, meta: &ManifestResourceMeta) -> String {
    let kind = if meta.kind.is_empty() { &meta.resource } else { &meta.kind };
    let slash = if meta.namespace.is_empty() { "" } else { "/" };
    let named = brief(&format!("{kind} {}{slash}{}", meta.namespace, meta.name), WIDEST);
    let manifests = work.spec.workload.as_ref().map_or(&[][..], |workload| &workload.manifests);
    let manifest = usize::try_from(meta.ordinal).ok().and_then(|ordinal| manifests.get(ordinal)).map(JsonText::value);
    let manifest = manifest.filter(|manifest| text(manifest, ["metadata", "name"]) == meta.name);
    let images = manifest.as_ref().map(images);
    let images = images.unwrap_or_default();
    let more = match images.len().saturating_sub(IMAGES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let first: Vec<String> = images.iter().take(IMAGES).map(|image| brief(image, WIDEST_IMAGE)).collect();
    match first.len() {
        0 => named,
        1 => format!("{named} (image {})", first.join(", ")),
        _ => format!("{named} (images {}{more})", first.join(", ")),
    }
}

/// Returns the images of a workload, each once, in order.
fn images(manifest: &Value) -> Vec<&str> {
    let mut images = Vec::new();
    for (_, image) in image::images(manifest) {
        if !images.contains(&image) {
            images.push(image);
        }
    }
    images
}

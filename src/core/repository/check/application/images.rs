//! Images whose content can change, where the settings refuse them.

use std::collections::BTreeSet;

use super::container::written;
use super::image_name::{Parts, is_digest};
use crate::application::Rendered;
use crate::read::notes::Notes;
use crate::read::object::{Object, path};
use crate::settings::Images;
use tidegate_api::schema::path::{Path, Step};
use tidegate_delivery::images;

/// Adds a complaint about each image of the objects that the settings refuse, at the place where it is written.
pub(super) fn check(notes: &mut Notes<'_>, objects: &[Rendered], rule: Images) {
    let mut found = BTreeSet::new();
    for Rendered { at, object, .. } in objects {
        for (field, image) in images(object) {
            let Some(why) = refusal(rule, image) else { continue };
            let (place, what) = match place(notes.object, at, image) {
                Some(place) => (place.clone(), place.to_string()),
                None => (at.clone(), format!("{field} of an object of {at}")),
            };
            if found.insert((what.clone(), image)) {
                notes.error(notes.object.value_origin(&place), format!("{what} is {image:?}, {why}"));
            }
        }
    }
}

/// Returns why a rule refuses an image, as the end of a sentence.
fn refusal(rule: Images, image: &str) -> Option<String> {
    let Parts { tag, digest, .. } = Parts::of(image);
    let is_pinned = digest.is_some_and(is_digest);
    let (why, remedy, word) = match (rule, tag.filter(|tag| !tag.is_empty())) {
        (Images::Any, _) => return None,
        _ if is_pinned => return None,
        (Images::Digest, _) => {
            ("without a digest, so a registry may give another image", "add its digest, such as @sha256:…", "digest")
        }
        (Images::PinnedTag, Some("latest")) => {
            ("whose tag moves with each version", "write the tag of a version", "pinned-tag")
        }
        (Images::PinnedTag, Some(_)) => return None,
        (Images::PinnedTag, None) => ("without a tag, which means latest", "write the tag of a version", "pinned-tag"),
    };
    Some(format!("{why}; {remedy} (images = {word:?} in section [applications] of tidegate.toml)"))
}

/// Returns where an image is written: in the component at a path, or else elsewhere in the application.
fn place(object: &Object, component: &Path, image: &str) -> Option<Path> {
    let value = |at: &Path| {
        at.0.iter().try_fold(&object.value, |value, step| match step {
            Step::Member(name) => value.get(name),
            Step::Item(index) => value.get(index),
        })
    };
    let within = |at: &Path| written(value(at)?, at, image);
    within(component).or_else(|| within(&path(&["spec"])))
}

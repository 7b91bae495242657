//! `images`.

use std::collections::BTreeSet;
use std::sync::Arc;

use regex::{Regex, RegexBuilder};

use crate::overlay::field_specs::spec::FieldSpec;
use crate::overlay::field_specs::{Create, FieldVisitor};
use crate::overlay::input::{Image, Text};
use crate::overlay::model::Resource;
use crate::overlay::model::values::{Cause, Naming, scalar, text_of};
use crate::yaml::described;
use crate::yaml::{Error, Mapping, Node, Origin, Provenance};
use tidegate_model::diagnostic::Diagnostic;
use tidegate_model::near::nearest;

/// Maximum size of the compiled form of a name, in bytes: far more than names need, but little memory.
const MAX_PATTERN: usize = 256 << 10;

/// Maximum number of image names that are searched for a suggestion.
const MAX_NAMES: usize = 1000;
/// Maximum number of entries that get a suggestion.
const MAX_MEANT: usize = 10;

/// Changes images. Returns a warning for each entry that matches no image.
///
/// # Errors
/// [`Error`] if a name is not a regular expression, or an image is not a single value.
pub(crate) fn apply(
    resources: &mut [Resource],
    (naming, entries): (Naming<'_>, &[Image]),
    specs: &[FieldSpec],
    provenance: &mut Provenance,
) -> Result<Vec<Diagnostic<Origin>>, Error> {
    let mut changes = entries
        .iter()
        .enumerate()
        .map(|(i, entry)| {
            let cause = Cause::new(naming.entry(i), entry.origin);
            Ok(Change { entry, cause, pattern: pattern(entry)?, is_used: false })
        })
        .collect::<Result<Vec<_>, Error>>()?;
    let visitor = FieldVisitor { by: naming.all(), create: Create::Nothing, origin: Default::default() };
    for resource in &mut *resources {
        if *resource.kind() == *"CustomResourceDefinition" {
            continue;
        }
        let has_lists = has_containers(&resource.node);
        for change in &mut changes {
            if has_lists {
                change.anywhere(&mut resource.node, provenance).map_err(|error| {
                    let message =
                        format!("{} applies to all containers of {}: {}", naming.all(), resource.id(), error.message);
                    error.place.error(message)
                })?;
            }
            for spec in specs {
                visitor.visit(resource, spec, &mut |node| change.image(node, provenance))?;
            }
        }
    }
    let unused: Vec<&Image> = changes.iter().filter(|change| !change.is_used).map(|change| change.entry).collect();
    let mut names = BTreeSet::new();
    if !unused.is_empty() {
        resources.iter().for_each(|resource| collect(&resource.node, &mut names));
    }
    let none = BTreeSet::new();
    let reported = unused.into_iter().enumerate();
    Ok(reported.map(|(i, entry)| unused_entry(entry, if i < MAX_MEANT { &names } else { &none })).collect())
}

/// Collects the image names in fields named `image`, up to a limit.
fn collect<'n>(node: &'n Node, names: &mut BTreeSet<&'n str>) {
    if let Some(items) = node.as_sequence() {
        items.iter().for_each(|item| collect(item, names));
    }
    for entry in node.as_mapping().into_iter().flat_map(Mapping::iter) {
        match entry.value.as_str().filter(|_| &*entry.key().text == "image" && names.len() < MAX_NAMES) {
            Some(image) => drop(names.insert(split(image).0)),
            None => collect(&entry.value, names),
        }
    }
}

fn unused_entry(entry: &Image, names: &BTreeSet<&str>) -> Diagnostic<Origin> {
    let (name, origin) = match &entry.name {
        Some(name) => (&*name.text, name.origin),
        None => ("", entry.origin),
    };
    let remedy = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean {near:?}?"),
        None => "correct the name, or remove the entry".to_owned(),
    };
    origin.warning(format!("no image here is named {name:?}, so the entry does nothing; {remedy}"))
}

fn pattern(entry: &Image) -> Result<Regex, Error> {
    let name = entry.name.as_ref().map_or("", |name| &name.text);
    let pattern = format!("^{name}(:[a-zA-Z0-9_.{{}}-]*)?(@sha256:[a-zA-Z0-9_.{{}}-]*)?$");
    RegexBuilder::new(&pattern).size_limit(MAX_PATTERN).build().map_err(|_| {
        let origin = entry.name.as_ref().map_or(entry.origin, |name| name.origin);
        origin.error(format!(
            "the name {name:?} is used as a regular expression, but is not one; put \\ before special characters"
        ))
    })
}

fn is_list_of_containers(key: &str) -> bool {
    matches!(key, "containers" | "initContainers")
}

fn has_containers(node: &Node) -> bool {
    match (node.as_mapping(), node.as_sequence()) {
        (Some(mapping), _) => {
            mapping.iter().any(|entry| is_list_of_containers(&entry.key().text) || has_containers(&entry.value))
        }
        (_, Some(items)) => items.iter().any(has_containers),
        _ => false,
    }
}

/// The change that an entry makes.
struct Change<'a> {
    entry: &'a Image,
    cause: Cause,
    pattern: Regex,
    /// Whether it matched an image.
    is_used: bool,
}

impl Change<'_> {
    /// Changes the images in all lists of containers.
    fn anywhere(&mut self, node: &mut Node, provenance: &mut Provenance) -> Result<(), Error> {
        if let Some(items) = node.as_sequence_mut() {
            return items.iter_mut().try_for_each(|item| self.anywhere(item, provenance));
        }
        let Some(mapping) = node.as_mapping_mut() else { return Ok(()) };
        for (key, value) in mapping.iter_mut() {
            self.anywhere(value, provenance)?;
            let Some(items) = value.as_sequence_mut().filter(|_| is_list_of_containers(&key.text)) else { continue };
            for item in items.iter_mut().filter(|item| !item.is_null()) {
                let (origin, what) = (item.origin, described(item));
                let Some(container) = item.as_mapping_mut() else {
                    return Err(origin.error(format!("this is {what}, but a container is expected")));
                };
                container.get_mut("image").map_or(Ok(()), |image| self.image(image, provenance))?;
            }
        }
        Ok(())
    }

    fn image(&mut self, node: &mut Node, provenance: &mut Provenance) -> Result<(), Error> {
        let old = text_of(node)?;
        if !self.pattern.is_match(old.text()) {
            return Ok(());
        }
        self.is_used = true;
        let changed: Arc<str> = self.changed(old.text()).into();
        let is_same = *changed == *old.text();
        let scalar = scalar(changed, Some(old));
        if !is_same {
            let at = self.place();
            node.origin = self.cause.origin(at, Some(node.origin), provenance);
        }
        *node = Node::scalar(scalar, node.origin);
        Ok(())
    }

    /// Returns the origin of the field that sets the image.
    fn place(&self) -> crate::yaml::Origin {
        let set = [&self.entry.new_tag, &self.entry.digest, &self.entry.new_name, &self.entry.tag_suffix];
        set.into_iter().flatten().next().map_or(self.entry.origin, |text| text.origin)
    }

    fn changed(&self, image: &str) -> String {
        let text = |text: &Option<Text>| text.as_ref().map(|text| text.text.to_string());
        let (name, tag, digest) = split(image);
        let name = text(&self.entry.new_name).unwrap_or_else(|| name.to_owned());
        let (tag, digest) = match (text(&self.entry.new_tag), text(&self.entry.digest), &self.entry.tag_suffix) {
            (Some(tag), Some(digest), _) => (tag, digest),
            (Some(tag), None, _) => (tag, String::new()),
            (None, Some(digest), _) => (String::new(), digest),
            (None, None, Some(suffix)) => (format!("{tag}{}", suffix.text), String::new()),
            (None, None, None) => (tag.to_owned(), digest.to_owned()),
        };
        let part = |sign: &str, part: String| if part.is_empty() { part } else { format!("{sign}{part}") };
        format!("{name}{}{}", part(":", tag), part("@", digest))
    }
}

/// Splits an image into name, tag and digest. A registry port is not a tag.
fn split(image: &str) -> (&str, &str, &str) {
    let slash = image.find('/').unwrap_or(0);
    let search = image.get(slash..).unwrap_or_default();
    let (at, colon) = (search.find('@').map(|i| i + slash), search.find(':').map(|i| i + slash));
    let parts = |end: usize| image.split_at_checked(end).unwrap_or((image, ""));
    let bare = |text: &'_ str| text.strip_prefix([':', '@']).map_or(0, |rest| text.len() - rest.len());
    match (at, colon) {
        (None, None) => (image, "", ""),
        (Some(at), colon) if colon.is_none_or(|colon| at < colon) => {
            let (name, digest) = parts(at);
            (name, "", digest.get(bare(digest)..).unwrap_or_default())
        }
        (at, Some(colon)) => {
            let (name, rest) = parts(colon);
            let (tag, digest) = match at {
                Some(at) => rest.split_at_checked(at - colon).unwrap_or((rest, "")),
                None => (rest, ""),
            };
            (name, tag.get(bare(tag)..).unwrap_or_default(), digest.get(bare(digest)..).unwrap_or_default())
        }
        (Some(_), None) => (image, "", ""),
    }
}

//! The order in which objects are written.

use crate::overlay::input::{SortOptions, Text};
use crate::overlay::model::kind_order::rank;
use crate::overlay::model::resource_map::clash;
use crate::overlay::model::{Id, Resource, kind_order};
use crate::yaml::{Error, Origin, Provenance};

/// Sorts objects.
///
/// # Errors
/// [`Error`] if the options contradict each other, or two objects have the same id.
pub(crate) fn sort(
    resources: &mut [Resource],
    options: Option<&SortOptions>,
    provenance: &Provenance,
) -> Result<(), Error> {
    if let Some(options) = options {
        match options.order.as_ref().map(|order| &*order.text) {
            Some("fifo") if options.lists.is_some() => {
                let message =
                    "legacySortOptions has no effect with the order fifo; remove it, or write `order: legacy`";
                return Err(options.origin.error(message));
            }
            Some("fifo") => return Ok(()),
            Some("legacy") => {}
            _ => {
                let origin = options.order.as_ref().map_or(options.origin, |order| order.origin);
                return Err(origin.error("unknown order; write `order: legacy` or `order: fifo`"));
            }
        }
    }
    let lists = options.and_then(|options| options.lists.as_ref()).map(|(first, last)| (texts(first), texts(last)));
    let place = |kind: &str| match &lists {
        Some((first, last)) => rank(kind, first, last),
        None => kind_order::default_rank(kind),
    };
    resources.sort_by_cached_key(|resource| key(&resource.id(), place(&resource.kind())));
    distinct(resources, provenance)
}

fn texts(list: &[Text]) -> Vec<String> {
    list.iter().map(|text| text.text.to_string()).collect()
}

/// Returns the sort key of an object.
fn key(id: &Id, place: i32) -> (i32, String, String) {
    let or = |text: &str, otherwise: &'static str| if text.is_empty() { otherwise.to_owned() } else { text.to_owned() };
    let kind = kind_order::sort_text(id.group(), id.version(), &id.kind);
    // The core Namespace comes before those of other groups, although `~` sorts after letters. Without a rank of its own it is
    // sorted among other kinds, by its group.
    let is_first = place != 0 && *id.kind == *"Namespace" && id.group().is_empty();
    let kind = if is_first { String::new() } else { kind };
    let id = format!(
        "{}.{}.{}|{}|{}",
        or(&id.kind, "[noKind]"),
        or(id.version(), "[noVer]"),
        or(id.group(), "[noGrp]"),
        or(&id.namespace, "~X"),
        or(&id.name, "~N")
    );
    (place, kind, id)
}

/// Refuses two objects with the same id.
fn distinct(resources: &[Resource], provenance: &Provenance) -> Result<(), Error> {
    let mut known: std::collections::HashMap<Id, Origin> = std::collections::HashMap::new();
    for resource in resources {
        let id = resource.id();
        if let Some(first) = known.insert(id.effective(), resource.node.origin) {
            return Err(clash(&id, first, resource, provenance));
        }
    }
    Ok(())
}

//! Which manifest goes into which work, so that no work grows too big and none moves without need.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::api::ocm::manifest_work::ManifestWork;
use crate::model::canonical::go_json;
use crate::model::object::group_version;

use super::error::Error;
use super::object::text;

/// What makes a manifest the same manifest; unlike that of an object, it includes the version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Identity<'a> {
    group: &'a str,
    version: &'a str,
    kind: &'a str,
    namespace: &'a str,
    name: &'a str,
}

impl<'a> Identity<'a> {
    fn of(manifest: &'a Value) -> Option<Self> {
        let (group, version) = group_version(manifest)?;
        let kind = text(manifest, "/kind");
        // More than one slash is no group and version, in Go and here.
        if kind.is_empty() || version.is_empty() || version.contains('/') {
            return None;
        }
        let (namespace, name) = (text(manifest, "/metadata/namespace"), text(manifest, "/metadata/name"));
        Some(Self { group, version, kind, namespace, name })
    }
}

/// The manifests of the works.
///
/// # Shape
/// No work is without manifests.
#[derive(Debug, Default)]
pub(super) struct Packed<'a> {
    /// Works to be made.
    pub(super) fresh: Vec<Vec<&'a Value>>,
    /// Works that stay, by name.
    pub(super) kept: BTreeMap<&'a str, Vec<&'a Value>>,
    /// Works that nothing is left for.
    pub(super) emptied: BTreeSet<&'a str>,
}

/// Distributes manifests over the existing works and new ones.
///
/// A manifest stays in the work that it is in, even if it has grown. Each other, the biggest first, goes to the existing work
/// with the most room, or else to a new work. Of two manifests with one identity the later wins.
///
/// # Errors
/// [`Error::NoIdentity`] for a manifest without kind or version.
///
/// # Source
/// OCM sdk-go work builder; unlike there, the order of manifests of one size is that of the template, and a manifest beyond
/// the budget does not leave an empty work in front of its own.
pub(super) fn pack<'a>(
    manifests: &'a [Value],
    existing: &BTreeMap<&'a str, &'a ManifestWork>,
    budget: usize,
) -> Result<Packed<'a>, Error> {
    let mut open: BTreeMap<Identity<'_>, (usize, &Value)> = BTreeMap::new();
    for (position, manifest) in manifests.iter().enumerate() {
        let identity =
            Identity::of(manifest).ok_or_else(|| Error::NoIdentity(text(manifest, "/metadata/name").to_owned()))?;
        open.insert(identity, (position, manifest));
    }
    let mut packed = Packed::default();
    for (name, work) in existing {
        let old = work.spec.workload.iter().flat_map(|workload| &workload.manifests);
        let stays: Vec<&Value> = old.filter_map(|old| Some(open.remove(&Identity::of(old)?)?.1)).collect();
        packed.kept.insert(name, stays);
    }
    distribute(open.into_values().collect(), &mut packed, budget);
    let is_empty = |manifests: &Vec<&Value>| manifests.is_empty();
    packed.emptied = packed.kept.iter().filter(|(_, manifests)| is_empty(manifests)).map(|(name, _)| *name).collect();
    packed.kept.retain(|_, manifests| !is_empty(manifests));
    Ok(packed)
}

/// Distributes the manifests that are in no work, given with their position in the template.
fn distribute<'a>(mut open: Vec<(usize, &'a Value)>, packed: &mut Packed<'a>, budget: usize) {
    if open.is_empty() {
        return;
    }
    open.sort_by_key(|(position, _)| *position);
    let mut sized: Vec<(usize, &Value)> = open.into_iter().map(|(_, manifest)| (size(manifest), manifest)).collect();
    sized.sort_by_key(|(size, _)| std::cmp::Reverse(*size));

    let used = |manifests: &Vec<&Value>| manifests.iter().map(|manifest| size(manifest)).sum::<usize>();
    let mut rooms: Vec<(usize, &mut Vec<&Value>)> =
        packed.kept.values_mut().map(|manifests| (budget.saturating_sub(used(manifests)), manifests)).collect();
    let mut room_in_fresh = 0;
    for (size, manifest) in sized {
        // Of equally roomy works the first by name, which `max_by_key` would take last.
        match rooms.iter_mut().rev().max_by_key(|(room, _)| *room) {
            Some((room, manifests)) if size < *room => {
                manifests.push(manifest);
                *room -= size;
            }
            _ => match packed.fresh.last_mut() {
                Some(manifests) if size < room_in_fresh => {
                    manifests.push(manifest);
                    room_in_fresh -= size;
                }
                _ => {
                    packed.fresh.push(vec![manifest]);
                    room_in_fresh = budget.saturating_sub(size);
                }
            },
        }
    }
}

/// Returns the size of a manifest in a work: its protobuf encoding, which holds the JSON text and a line feed.
fn size(manifest: &Value) -> usize {
    let length = go_json(manifest).len() + 1;
    let digits_of_length = (usize::BITS - length.leading_zeros()).div_ceil(7) as usize;
    1 + digits_of_length + length
}

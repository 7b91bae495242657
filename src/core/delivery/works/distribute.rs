//! Distributes manifests over works, so that no work grows too big and no manifest moves without need.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use tidegate_api::ocm::manifest_work::{ManifestWork, ManifestsTemplate};
use tidegate_go::json_length::json_length;
use tidegate_model::semantics::Rules;

use crate::error::Error;
use crate::go_object::unstructured::{GroupVersionKind, text};

/// The identity of a manifest. Unlike the identity of an object, it includes the version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Identity<'a> {
    kind: GroupVersionKind<'a>,
    namespace: &'a str,
    name: &'a str,
}

impl<'a> Identity<'a> {
    fn of(manifest: &'a Value) -> Option<Self> {
        let kind = GroupVersionKind::of(manifest);
        if kind.kind.is_empty() || kind.version.is_empty() {
            return None;
        }
        let (namespace, name) = (text(manifest, ["metadata", "namespace"]), text(manifest, ["metadata", "name"]));
        Some(Self { kind, namespace, name })
    }
}

/// The manifests of the works.
///
/// # Shape
/// No work is empty, except that in *compat* semantics the first new work can be.
#[derive(Debug, Default)]
pub(super) struct Packed<'a> {
    /// Works to be created.
    pub(super) fresh: Vec<Vec<&'a Arc<Value>>>,
    /// Works that stay, in their order.
    pub(super) kept: Vec<(&'a str, Vec<&'a Arc<Value>>)>,
    /// Works that hold nothing anymore, in their order.
    pub(super) emptied: Vec<&'a str>,
}

/// Distributes manifests over the existing works, given with their names, and new ones.
///
/// A manifest stays in its work, even if it has grown. The others, biggest first, each go to the existing work with the most
/// room, or else to a new work. Of two manifests with the same identity the later wins.
///
/// Two defects of upstream exist only in *compat* semantics: if the biggest new manifest is beyond the budget, an empty work
/// precedes its own, and an unreadable manifest in an existing work is an error.
///
/// # Errors
/// [`Error::NoIdentity`] for a manifest without kind or version, [`Error::OddWork`] for such a manifest in an existing work.
///
/// # Source
/// OCM sdk-go work builder, where the order of manifests of the same size is random; here it is that of the template.
pub(super) fn pack<'a>(
    manifests: &[&'a Arc<Value>],
    existing: &[(&'a str, &'a ManifestWork)],
    budget: usize,
    rules: &Rules,
) -> Result<Packed<'a>, Error> {
    let workload = |work: &ManifestWork| work.spec.workload.as_ref().map_or_else(Vec::new, ManifestsTemplate::objects);
    let existing: Vec<(&str, Vec<Value>)> = existing.iter().map(|(name, work)| (*name, workload(work))).collect();
    let mut open: BTreeMap<Identity<'_>, (usize, &Arc<Value>)> = BTreeMap::new();
    for (position, manifest) in manifests.iter().enumerate() {
        let odd = || Error::NoIdentity {
            name: text(manifest, ["metadata", "name"]).to_owned(),
            object: Box::new(manifest.as_ref().clone()),
        };
        open.insert(Identity::of(manifest).ok_or_else(odd)?, (position, manifest));
    }
    let mut packed = Packed::default();
    for (name, olds) in &existing {
        let mut stays = Vec::new();
        for old in olds {
            match Identity::of(old) {
                Some(identity) => stays.extend(open.remove(&identity).map(|(_, manifest)| manifest)),
                None if rules.replaces_broken_works => {}
                None => return Err(Error::OddWork { work: (*name).to_owned(), object: Box::new(old.clone()) }),
            }
        }
        packed.kept.push((name, stays));
    }
    distribute(open.into_values().collect(), &mut packed, budget);
    let leaves_gap = |works: &[Vec<&Arc<Value>>]| works.first().and_then(|work| work.first()).map(|first| size(first));
    if !rules.avoids_empty_works && leaves_gap(&packed.fresh).is_some_and(|size| size >= budget) {
        packed.fresh.insert(0, Vec::new());
    }
    packed.emptied = packed.kept.iter().filter(|(_, manifests)| manifests.is_empty()).map(|(name, _)| *name).collect();
    packed.kept.retain(|(_, manifests)| !manifests.is_empty());
    Ok(packed)
}

/// Distributes the manifests that are not in a work yet, given with their position in the template.
fn distribute<'a>(mut open: Vec<(usize, &'a Arc<Value>)>, packed: &mut Packed<'a>, budget: usize) {
    if open.is_empty() {
        return;
    }
    open.sort_by_key(|(position, _)| *position);
    let mut sized: Vec<(usize, &Arc<Value>)> =
        open.into_iter().map(|(_, manifest)| (size(manifest), manifest)).collect();
    sized.sort_by_key(|(size, _)| std::cmp::Reverse(*size));

    let used = |manifests: &Vec<&Arc<Value>>| manifests.iter().map(|manifest| size(manifest)).sum::<usize>();
    let mut rooms: Vec<(usize, &mut Vec<&Arc<Value>>)> =
        packed.kept.iter_mut().map(|(_, manifests)| (budget.saturating_sub(used(manifests)), manifests)).collect();
    let mut room_in_fresh = 0;
    for (size, manifest) in sized {
        // Reversed, since `max_by_key` returns the last of several maxima and the first is wanted.
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
    let length = json_length(manifest) + 1;
    let digits_of_length = (usize::BITS - length.leading_zeros()).div_ceil(7) as usize;
    1 + digits_of_length + length
}

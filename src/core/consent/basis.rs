//! What a revision says that decides who may let changes through: its rules, and what they select by.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::people::People;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::rollout_policy::PolicySet;
use tidegate_model::digest::Digest;
use tidegate_model::glob;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_model::shared::Shared;

/// The rules of a revision, and what they select by.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Basis {
    /// The digest of the rules: of the people, the RolloutPolicies, the policies as code, and the labels and annotations of clusters.
    pub rules: Digest,
    /// The people.
    pub people: Arc<People>,
    /// The RolloutPolicies.
    pub policies: PolicySet,
    /// The policies as code, each as a digest by its name.
    pub plan_policies: BTreeMap<String, Digest>,
    /// The declared clusters, whose labels and annotations policies and rendering read.
    pub clusters: Shared<BTreeMap<ClusterName, Arc<ManagedCluster>>>,
    /// Where each add-on goes, and what it writes.
    pub addons: BTreeMap<UnitName, Reach>,
    /// Whether add-ons may be missing, because the revision has errors and it is no longer known what was followed instead.
    pub has_errors: bool,
}

/// Where an add-on goes, and what it writes there.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Reach {
    /// The digest of everything by which a policy selects its clusters: the type of its install strategy, its placements with their groups
    /// and cluster sets, and the clusters that it declares by hand.
    pub selection: Digest,
    /// The objects that its templates write to a cluster, with the namespaces that they are moved to. A part of a key that differs between
    /// clusters contains `*`.
    pub objects: BTreeSet<ObjectKey>,
}

impl Basis {
    /// Returns `true` if an add-on of a later revision is selected as it was: by the same placements and groups. One that is new, without a
    /// reach of its `own` before, is selected as it was if another add-on was selected like it, and `is_accepted` for that selection of the
    /// other one.
    pub fn selects_as_before(
        &self,
        (addon, own): (&UnitName, Option<&Reach>),
        later: &Reach,
        is_accepted: impl Fn(&UnitName, &Digest) -> bool,
    ) -> bool {
        let is_same = |reach: &Reach| reach.selection == later.selection;
        let is_witness = |(other, reach): (&UnitName, &Reach)| {
            other != addon && is_same(reach) && is_accepted(other, &reach.selection)
        };
        own.map_or_else(|| self.addons.iter().any(is_witness), is_same)
    }

    /// Returns the other add-ons that wrote an object which this add-on, with a reach of its `own` before, did not write, and writes now.
    ///
    /// They wrote it at this revision, or at one of `recorded`: the revisions of the recorded changes of others, whose objects may still be
    /// on clusters.
    pub fn predecessors<'r>(
        &self,
        (addon, own): (&UnitName, Option<&Reach>),
        later: &Reach,
        recorded: impl IntoIterator<Item = (&'r UnitName, &'r Self)>,
    ) -> BTreeSet<UnitName> {
        let taken = later.taken(own);
        if taken.is_empty() {
            return BTreeSet::new();
        }
        let recorded = recorded.into_iter().filter_map(|(other, basis)| Some((other, basis.addons.get(other)?)));
        let others = self.addons.iter().chain(recorded).filter(|(other, _)| *other != addon);
        // The objects of an add-on are usually the same at all of its changes.
        let different: BTreeSet<_> = others.map(|(other, reach)| (other, &reach.objects)).collect();
        let wrote = |objects: &BTreeSet<ObjectKey>| may_share(objects, &taken);
        different.into_iter().filter(|(_, objects)| wrote(objects)).map(|(other, _)| other.clone()).collect()
    }
}

impl Reach {
    /// Returns the objects that an add-on writes now, and did not write before.
    pub(super) fn taken(&self, before: Option<&Self>) -> Vec<&ObjectKey> {
        let is_taken = |object: &&ObjectKey| !before.is_some_and(|before| before.objects.contains(*object));
        self.objects.iter().filter(is_taken).collect()
    }
}

/// Returns `true` if one of the `taken` objects may be one of those that an add-on writes. A part of a key that differs between clusters
/// contains `*`.
fn may_share(objects: &BTreeSet<ObjectKey>, taken: &[&ObjectKey]) -> bool {
    let open: Vec<&ObjectKey> = objects.iter().filter(|object| has_wildcard(object)).collect();
    taken.iter().any(|taken| match has_wildcard(taken) {
        true => objects.iter().any(|own| may_be_same(own, taken)),
        false => objects.contains(*taken) || open.iter().any(|own| may_be_same(own, taken)),
    })
}

fn parts(key: &ObjectKey) -> [&str; 4] {
    [&key.group, &key.kind, &key.namespace, &key.name]
}

fn has_wildcard(key: &ObjectKey) -> bool {
    parts(key).iter().any(|part| part.contains('*'))
}

/// Returns `true` if two keys may be those of one object on some cluster.
fn may_be_same(one: &ObjectKey, other: &ObjectKey) -> bool {
    parts(one).into_iter().zip(parts(other)).all(|(one, other)| match (one.contains('*'), other.contains('*')) {
        (true, true) => true,
        (true, false) => glob::matches(one, other),
        (false, true) => glob::matches(other, one),
        (false, false) => one == other,
    })
}

/// Returns `true` if a cluster on the hub lacks a label or annotation that is declared for it, or has another value there.
pub fn lacks_marks(observed: &ManagedCluster, declared: &ManagedCluster) -> bool {
    let lacks = |observed: Option<&BTreeMap<String, String>>, declared: Option<&BTreeMap<String, String>>| {
        let has = |key: &String, value: &String| observed.and_then(|observed| observed.get(key)) == Some(value);
        declared.is_some_and(|declared| declared.iter().any(|(key, value)| !has(key, value)))
    };
    let (observed, declared) = (&observed.metadata, &declared.metadata);
    lacks(observed.labels.as_ref(), declared.labels.as_ref())
        || lacks(observed.annotations.as_ref(), declared.annotations.as_ref())
}

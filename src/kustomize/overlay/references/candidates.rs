//! Finds the object that a name refers to.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use super::referrer::Referrer;
use super::target::{Target, has_same_affixes};
use crate::overlay::field_specs::spec::Gvk;
use crate::overlay::model::{Id, Resource};

/// Where an object is: its effective namespace, and the one that it names.
type Present = (Arc<str>, Arc<str>);

/// All objects that can be referred to.
#[derive(Debug)]
pub(super) struct Targets {
    targets: Vec<Target>,
    /// The objects by each of their previous names.
    by_name: HashMap<Arc<str>, Places>,
    /// Indices of objects by original namespace, one for each namespace in which they are now.
    by_original: HashMap<Arc<str>, HashMap<Present, usize>>,
    /// Number of objects examined.
    pub(super) looked_at: Cell<usize>,
}

/// Indices of the objects that had one name, each list in order.
#[derive(Debug, Default)]
struct Places {
    all: Vec<usize>,
    /// By current namespace. Cluster-scoped objects are under a placeholder.
    by_present: HashMap<Arc<str>, Vec<usize>>,
    /// By original namespace.
    by_original: HashMap<Arc<str>, Vec<usize>>,
    /// Cluster-scoped objects.
    anywhere: Vec<usize>,
}

impl Places {
    fn add(&mut self, at: usize, target: &Target) {
        if self.all.last() == Some(&at) {
            return;
        }
        self.all.push(at);
        self.by_present.entry(Arc::clone(&target.namespace)).or_default().push(at);
        self.by_original.entry(Arc::clone(&target.original_namespace)).or_default().push(at);
        if target.is_cluster_scoped {
            self.anywhere.push(at);
        }
    }
}

/// What a reference asks for.
pub(super) struct Wanted<'a> {
    pub(super) name: &'a str,
    pub(super) kind: &'a Gvk,
    /// The namespace next to the name, if there is one.
    pub(super) namespace: Option<&'a str>,
    pub(super) is_role: bool,
    /// Whether the name is in a mapping. There, objects with the same name in different namespaces count as different.
    pub(super) in_mapping: bool,
}

/// Several objects match that differ in name or, for a reference in a mapping, in namespace.
pub(super) struct Ambiguous(pub(super) Vec<Id>);

impl Targets {
    pub(super) fn of(resources: &[Resource]) -> Self {
        let targets: Vec<_> = resources.iter().map(Target::of).collect();
        let mut by_name: HashMap<Arc<str>, Places> = HashMap::new();
        let mut by_original: HashMap<Arc<str>, HashMap<_, usize>> = HashMap::new();
        for (at, target) in targets.iter().enumerate() {
            for id in &target.previous {
                by_name.entry(Arc::clone(&id.name)).or_default().add(at, target);
            }
            let present = (Arc::clone(&target.namespace), Arc::clone(&target.id.namespace));
            by_original.entry(Arc::clone(&target.original_namespace)).or_default().entry(present).or_insert(at);
        }
        Self { targets, by_name, by_original, looked_at: Cell::new(0) }
    }

    pub(super) fn get(&self, at: usize) -> Option<&Target> {
        self.targets.get(at)
    }

    /// Returns the object that a name refers to, or `None` if no object matches.
    ///
    /// # Errors
    /// [`Ambiguous`]
    ///
    /// # Source
    /// kustomize `nameref.Filter.selectReferral`.
    pub(super) fn select(&self, referrer: &Referrer<'_>, wanted: &Wanted<'_>) -> Result<Option<&Target>, Ambiguous> {
        let Some(places) = self.by_name.get(wanted.name) else { return Ok(None) };
        let by_original = wanted.namespace.is_some_and(|namespace| self.is_original(referrer, namespace));
        let fits_namespace = |target: &Target| match wanted.namespace {
            None => true,
            Some(_) if target.is_cluster_scoped => false,
            Some(namespace) if by_original => *target.original_namespace == *namespace,
            Some(namespace) => *target.namespace == *namespace,
        };
        let fits = |target: &&Target| {
            target.previous.iter().any(|id| &*id.name == wanted.name)
                && referrer.can_refer_to(target)
                && fits_namespace(target)
                && target.was(wanted.kind)
                && (!wanted.is_role || referrer.role.as_ref().is_none_or(|role| target.was(role)))
                && referrer.is_near(target)
        };
        let places = referrer.candidates(places, wanted.namespace, by_original);
        self.looked_at.set(self.looked_at.get().saturating_add(places.len()));
        let found: Vec<_> = places.iter().filter_map(|at| self.targets.get(*at)).filter(fits).collect();
        if let [only] = found.as_slice() {
            return Ok(Some(only));
        }
        let mut found: Vec<_> =
            found.into_iter().filter(|target| has_same_affixes(referrer.target, target, true)).collect();
        if found.len() > 1 {
            found.retain(|target| has_same_affixes(referrer.target, target, false));
        }
        let Some(first) = found.first().copied() else { return Ok(None) };
        let is_same = |target: &&Target| {
            target.id.name == first.id.name && (!wanted.in_mapping || target.id.namespace == first.id.namespace)
        };
        if found.iter().all(is_same) {
            return Ok(Some(first));
        }
        Err(Ambiguous(found.iter().map(|target| target.id.clone()).collect()))
    }

    /// Returns `true` if a namespace is the original one of any namespaced object that the referrer may refer to.
    fn is_original(&self, referrer: &Referrer<'_>, namespace: &str) -> bool {
        let known = self.by_original.get(namespace);
        self.looked_at.set(self.looked_at.get().saturating_add(known.map_or(0, HashMap::len) / 16));
        let places = known.into_iter().flat_map(HashMap::values);
        places
            .filter_map(|at| self.targets.get(*at))
            .any(|target| referrer.can_refer_to(target) && !target.is_cluster_scoped)
    }
}

impl Referrer<'_> {
    /// Returns the indices of all objects of a name that may be meant, and of as few others as possible.
    fn candidates(&self, places: &Places, namespace: Option<&str>, by_original: bool) -> Vec<usize> {
        let list = |lists: &HashMap<Arc<str>, Vec<usize>>, key: &str| lists.get(key).cloned().unwrap_or_default();
        match namespace {
            Some(namespace) if by_original => return list(&places.by_original, namespace),
            Some(namespace) => return list(&places.by_present, namespace),
            None if self.target.is_cluster_scoped => return places.all.clone(),
            None => {}
        }
        let mut found = list(&places.by_present, &self.target.namespace);
        found.extend(&places.anywhere);
        for subject in &self.subjects {
            found.extend(list(&places.by_present, if subject.is_empty() { "default" } else { subject }));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns `true` if the namespaces of the referrer and an object allow a reference.
    fn can_refer_to(&self, target: &Target) -> bool {
        self.target.is_cluster_scoped
            || target.is_cluster_scoped
            || target.namespace == self.target.namespace
            || self.subjects.contains(&target.id.namespace)
    }

    /// Returns `true` if an object is in a namespace that the referrer can see.
    fn is_near(&self, target: &Target) -> bool {
        self.target.is_cluster_scoped
            || target.is_cluster_scoped
            || *target.id.kind == *"ServiceAccount"
            || target.namespace == self.target.namespace
    }
}

//! The catalog of all served kinds.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

use crate::kind::{Kind, builtin, custom};
use crate::openapi::Documents;

/// All served kinds.
#[derive(Debug, Clone)]
pub(crate) struct Catalog {
    kinds: Vec<Arc<Kind>>,
    by_path: BTreeMap<(String, String, String), usize>,
    openapi: OnceLock<Documents>,
}

impl Catalog {
    /// Creates the catalog of the core kinds and those of the CRDs. A CRD without a served version is left out.
    pub(crate) fn new(crds: &[CustomResourceDefinition]) -> Self {
        let custom = crds.iter().filter_map(custom::kind);
        let mut kinds: Vec<Kind> = builtin::kinds().into_iter().chain(custom).collect();
        for (index, kind) in kinds.iter_mut().enumerate() {
            kind.index = index;
        }
        Self::of(kinds.into_iter().map(Arc::new).collect())
    }

    fn of(kinds: Vec<Arc<Kind>>) -> Self {
        let mut by_path = BTreeMap::new();
        for kind in &kinds {
            for version in &kind.versions {
                by_path.insert((kind.group.clone(), version.name.clone(), kind.plural.clone()), kind.index);
            }
        }
        Self { kinds, by_path, openapi: OnceLock::new() }
    }

    /// Returns the catalog for a new set of CRDs. A kind keeps its index forever; a kind that is no longer defined has no versions.
    pub(crate) fn redefined(&self, crds: &[CustomResourceDefinition]) -> Self {
        let mut kinds: Vec<Arc<Kind>> = self.kinds.clone();
        let mut defined: Vec<usize> = Vec::new();
        // CRDs cannot define kinds in the groups of the core kinds.
        let is_free = |kind: &Kind| !self.kinds.iter().any(|core| !core.custom && core.group == kind.group);
        for mut kind in crds.iter().filter_map(custom::kind).filter(is_free) {
            let known = kinds.iter().position(|old| old.custom && old.group == kind.group && old.plural == kind.plural);
            kind.index = known.unwrap_or(kinds.len());
            let before = known.and_then(|index| kinds.get(index));
            kind.was_redefined = before.is_some_and(|before| before.was_redefined || !before.has_same_schemas(&kind));
            defined.push(kind.index);
            match known.and_then(|index| kinds.get_mut(index)) {
                Some(old) => *old = Arc::new(kind),
                None => kinds.push(Arc::new(kind)),
            }
        }
        for kind in kinds.iter_mut().filter(|kind| kind.custom && !defined.contains(&kind.index)) {
            *kind = Arc::new(Kind { versions: Vec::new(), ..Kind::clone(kind) });
        }
        Self::of(kinds)
    }

    /// Returns all kinds, in the order of their index.
    pub(crate) fn kinds(&self) -> &[Arc<Kind>] {
        &self.kinds
    }

    /// Returns the OpenAPI documents, which are generated on first use.
    pub(crate) fn openapi(&self) -> &Documents {
        self.openapi.get_or_init(|| Documents::new(&self.kinds))
    }

    /// Returns the kind that is served as a resource.
    pub(crate) fn find(&self, group: &str, version: &str, plural: &str) -> Option<&Arc<Kind>> {
        let path = (group.to_owned(), version.to_owned(), plural.to_owned());
        self.kinds.get(*self.by_path.get(&path)?)
    }

    /// Returns a served kind by group and kind.
    pub(crate) fn named(&self, group: &str, kind: &str) -> Option<&Arc<Kind>> {
        self.kinds.iter().find(|served| served.group == group && served.kind == kind && !served.versions.is_empty())
    }
}

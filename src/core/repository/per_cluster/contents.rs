//! Renders what the clusters of a hub get, and keeps it as long as nothing that it depends on changes.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::conflicts::refuse;
use super::content::{Content, content};
use super::facts::facts;
use crate::assemble::archive::Archive;
use crate::definition::{ClusterReads, Definitions};
use crate::recipe::Recipe;
use crate::types::Repository;
use crate::unit::Unit;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_model::digest::Digest;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::shared::Shared;

type Clusters = Shared<BTreeMap<ClusterName, Arc<ManagedCluster>>>;
type Units = Shared<BTreeMap<UnitName, Unit>>;

/// What clusters get of the units whose definitions read `context.cluster`.
#[derive(Debug, Default)]
pub struct ClusterContents {
    known: BTreeMap<UnitName, Known>,
    /// The last units and clusters, with the result.
    last: Option<(Units, Clusters, Units)>,
    archive: Archive,
    /// How often an application was rendered for a cluster.
    renderings: usize,
}

/// What is known about one unit.
#[derive(Debug)]
struct Known {
    recipe: Arc<Recipe>,
    reads: ClusterReads,
    /// The content by what is read of a cluster.
    contents: BTreeMap<Digest, Arc<Content>>,
}

impl ClusterContents {
    /// Returns a repository with what each of the clusters gets; `None` if nothing in it depends on the cluster.
    ///
    /// The units are [the same](Shared::is_same) as in the last result if the units and the clusters are.
    pub fn of(&mut self, repository: &Repository, clusters: &Clusters) -> Option<Repository> {
        if !repository.addons.values().any(|unit| recipe(unit).is_some()) {
            (self.known, self.last) = (BTreeMap::new(), None);
            return None;
        }
        let is_last = |(units, known, _): &&(Units, Clusters, Units)| {
            units.is_same(&repository.addons) && known.is_same(clusters)
        };
        let units = match self.last.as_ref().filter(is_last) {
            Some((_, _, units)) => units.clone(),
            None => self.render(repository, clusters),
        };
        self.last = Some((repository.addons.clone(), clusters.clone(), units.clone()));
        let found = Repository { addons: units, ..repository.clone() };
        Some(found)
    }

    /// Returns how often an application was rendered for a cluster, or for several that are alike.
    pub fn renderings(&self) -> usize {
        self.renderings
    }

    /// Returns the configurations of earlier revisions, with what was rendered for clusters: one that waits still has it.
    pub fn archive(&self, archive: &Arc<Archive>) -> Arc<Archive> {
        if self.last.is_none() {
            return archive.clone();
        }
        let mut all = Archive::clone(archive);
        all.extend(&self.archive);
        Arc::new(all)
    }

    fn render(&mut self, repository: &Repository, clusters: &Clusters) -> Units {
        let mut before = std::mem::take(&mut self.known);
        let mut contents: BTreeMap<UnitName, BTreeMap<ClusterName, Arc<Content>>> = BTreeMap::new();
        for (name, unit) in repository.addons.iter() {
            let Some(recipe) = recipe(unit) else { continue };
            let known = before.remove(name).filter(|known| known.recipe == *recipe);
            let mut renderer = Renderer::new(recipe, known);
            let each = clusters.iter().map(|(cluster, object)| (cluster.clone(), renderer.content(&facts(object))));
            contents.insert(name.clone(), each.collect());
            self.renderings += renderer.renderings;
            self.known.insert(name.clone(), renderer.finish());
        }
        refuse(repository, &mut contents);
        let mut units = BTreeMap::clone(&repository.addons);
        for (name, contents) in contents {
            let Some(unit) = units.get_mut(&name) else { continue };
            let Some(per_cluster) = &mut unit.per_cluster else { continue };
            for (cluster, content) in contents {
                per_cluster.clusters.insert(cluster, content.given.clone());
                unit.configurations.extend(content.configurations.iter().cloned());
            }
        }
        let of_clusters = units.values().filter(|unit| unit.per_cluster.is_some());
        self.archive.add_units(of_clusters);
        units.into()
    }
}

/// Returns what a unit is rendered from for each cluster.
fn recipe(unit: &Unit) -> Option<&Arc<Recipe>> {
    unit.per_cluster.as_ref()?.recipe.as_ref()
}

/// Renders one unit. Its definitions are compiled once something has to be rendered.
struct Renderer {
    recipe: Arc<Recipe>,
    reads: ClusterReads,
    definitions: Option<Definitions>,
    before: BTreeMap<Digest, Arc<Content>>,
    now: BTreeMap<Digest, Arc<Content>>,
    renderings: usize,
}

impl Renderer {
    fn new(recipe: &Arc<Recipe>, known: Option<Known>) -> Self {
        let (recipe, now, renderings) = (recipe.clone(), BTreeMap::new(), 0);
        match known {
            Some(Known { reads, contents, .. }) => {
                Self { recipe, reads, definitions: None, before: contents, now, renderings }
            }
            None => {
                let definitions = definitions(&recipe);
                let reads = definitions.reads();
                Self { recipe, reads, definitions: Some(definitions), before: BTreeMap::new(), now, renderings }
            }
        }
    }

    fn content(&mut self, facts: &Value) -> Arc<Content> {
        let read = self.reads.of(facts);
        let digest = Digest::of(read.to_string().as_bytes());
        if let Some(known) = self.now.get(&digest) {
            return known.clone();
        }
        let content = self.before.get(&digest).cloned().unwrap_or_else(|| {
            self.renderings += 1;
            let definitions = self.definitions.get_or_insert_with(|| definitions(&self.recipe));
            Arc::new(definitions.on_cluster(&read, || content(&self.recipe, definitions)))
        });
        self.now.insert(digest, content.clone());
        content
    }

    fn finish(self) -> Known {
        Known { recipe: self.recipe, reads: self.reads, contents: self.now }
    }
}

fn definitions(recipe: &Recipe) -> Definitions {
    Definitions::of(&recipe.definitions).with(&recipe.settings)
}

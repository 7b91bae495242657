//! Assembles sound objects into a [`Repository`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::index::Index;
use super::sound::{Sound, Typed, with_defaults};
use super::sources::declared;
use crate::application::used::{is_per_cluster, used};
use crate::application::{self, Entry, PUBLISH_VERSION, revision_key};
use crate::definition::{Definitions, is_definition};
use crate::digest::digest;
use crate::read::object::Object;
use crate::recipe::Recipe;
use crate::reference::target::{Target, references};
use crate::settings::Applications;
use crate::types::{Declared, Published, Repository};
use crate::unit::{Configuration, Source, Unit};
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_go::canonical::spec_hash;
use tidegate_model::digest::Digest;
use tidegate_model::name::{AddonName, NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;

/// Adds the sound objects to a repository whose settings and blocked add-ons are already set.
pub(crate) fn assemble(
    repository: &mut Repository,
    objects: &[Object],
    sound: &BTreeMap<ObjectKey, Sound>,
    (index, definitions): (&Index<'_>, &Definitions),
) {
    let mut configurations = Configurations { index, sound, made: BTreeMap::new() };
    for (key, Sound { declared, typed }) in sound {
        let Some(object) = index.by_key.get(key) else { continue };
        if is_definition(object) {
            // It is rendered into the applications that use it, and never goes to the hub.
            continue;
        }
        if add_application(repository, object, typed, (sound, index, definitions)) {
            continue;
        }
        let declared = Declared { object: Arc::clone(declared), place: object.place() };
        repository.objects.insert(key.clone(), declared);
        let name = NamespacedName::new(&key.namespace, &key.name);
        match typed {
            Typed::Addon(declaration) => add_addon(repository, object, declaration, &mut configurations),
            Typed::Placement(placement) => drop(repository.placements.insert(name, Arc::clone(placement))),
            Typed::ClusterSet(set) => drop(repository.cluster_sets.insert(name.name, Arc::clone(set))),
            Typed::Binding(binding) => drop(repository.cluster_set_bindings.insert(name, Arc::clone(binding))),
            Typed::Cluster(cluster) => {
                if let Ok(name) = key.name.parse() {
                    repository.clusters.insert(name, Arc::clone(cluster));
                }
            }
            Typed::Policy(policy) => drop(repository.policies.insert(name.name, Arc::clone(policy))),
            Typed::Override(_)
            | Typed::DeploymentConfig(_)
            | Typed::Application(_)
            | Typed::Revision(_)
            | Typed::AppDeployment(_)
            | Typed::Plain => {}
        }
    }
    // Overrides come second, since their add-ons must exist.
    for object in objects {
        let (Some(Sound { typed: Typed::Override(typed), .. }), Ok(cluster)) =
            (sound.get(&object.key), object.key.namespace.parse())
        else {
            continue;
        };
        if let Some(addon) = repository.addons.get_mut(object.key.name.as_str()) {
            addon.overrides.insert(cluster, Arc::clone(typed));
            addon.configurations.extend(configurations.of(object));
        }
    }
    let digests: Vec<_> = repository.addons.values().map(|addon| digest(repository, addon)).collect();
    for (addon, digest) in repository.addons.values_mut().zip(digests) {
        addon.digest = digest;
    }
}

fn add_addon(
    repository: &mut Repository,
    object: &Object,
    declaration: &Arc<ClusterManagementAddOn>,
    configurations: &mut Configurations<'_>,
) {
    let Ok(name) = object.key.name.parse::<AddonName>() else { return };
    let unit = UnitName::from(&name);
    if !repository.blocked.contains_key(&unit) {
        let configurations = configurations.of(object).into_iter().collect();
        let source = Source::AddOn { name, declaration: Arc::clone(declaration) };
        // The digest is computed once the overrides, placements and cluster sets are known.
        let (overrides, digest) = (BTreeMap::new(), Digest::default());
        let addon = Unit { source, configurations, overrides, digest, per_cluster: None };
        repository.addons.insert(unit, addon);
    }
}

/// Adds what describes applications, which is not among the objects, since it never goes to the hub. Returns `false` for anything else.
fn add_application(
    repository: &mut Repository,
    object: &Object,
    typed: &Typed,
    (sound, index, definitions): (&BTreeMap<ObjectKey, Sound>, &Index<'_>, &Definitions),
) -> bool {
    let (namespace, settings) = (&object.key.namespace, &repository.settings.applications);
    let unit = match typed {
        Typed::Application(parsed) => {
            let found = application::unit(object, parsed, (settings, definitions)).ok();
            found.map(|(name, unit)| match is_per_cluster(&object.value, definitions) {
                true => (name, declared(unit, recipe(object, (index, definitions), settings))),
                false => (name, unit),
            })
        }
        Typed::AppDeployment(deployment) => {
            let revision = |entry: Entry| match sound.get(&revision_key(namespace, &entry.revision))?.typed {
                Typed::Revision(ref revision) => Some((entry.revision, Arc::clone(revision))),
                _ => None,
            };
            let revisions = deployment.entries().into_iter().filter_map(revision).collect();
            application::unit_of_entries(object, (deployment, &revisions), settings)
        }
        Typed::Revision(revision) => {
            let published = Published {
                application: revision.application.clone(),
                digest: revision.digest.clone(),
                place: object.place(),
            };
            repository.revisions.insert(NamespacedName::new(namespace, &revision.name), published);
            None
        }
        _ => return false,
    };
    let Some((name, unit)) = unit.map(|(name, unit)| (UnitName::Application(name), unit)) else { return true };
    if !repository.blocked.contains_key(&name) && !repository.candidates.contains_key(&name) {
        repository.addons.insert(name, unit);
    }
    true
}

/// Returns what an application is rendered from for each of its clusters.
fn recipe(object: &Object, (index, definitions): (&Index<'_>, &Definitions), settings: &Applications) -> Recipe {
    let keys: BTreeSet<&ObjectKey> = used(&object.value, definitions).into_iter().map(|used| used.key).collect();
    let definitions = keys.into_iter().filter_map(|key| index.by_key.get(key)).map(|object| Object::clone(object));
    let annotations = object.value.pointer("/metadata/annotations");
    let version = annotations.and_then(|annotations| annotations.get(PUBLISH_VERSION)?.as_str());
    Recipe {
        application: object.clone(),
        definitions: definitions.collect(),
        settings: settings.clone(),
        version: version.map(str::to_owned),
    }
}

/// Configurations with their hashes, each computed once, however many references it has.
struct Configurations<'a> {
    index: &'a Index<'a>,
    sound: &'a BTreeMap<ObjectKey, Sound>,
    made: BTreeMap<ObjectKey, Configuration>,
}

impl Configurations<'_> {
    fn of(&mut self, object: &Object) -> Vec<(ConfigReference, Configuration)> {
        let mut found = Vec::new();
        for reference in references(&object.value) {
            let Some(target) = self.index.target(&reference.target) else { continue };
            let (Target::Configuration(reference), Some(sound)) = (reference.target, self.sound.get(&target.key))
            else {
                continue;
            };
            let made = self.made.entry(target.key.clone()).or_insert_with(|| {
                let object = with_defaults(&sound.declared);
                let deployment_config = match &sound.typed {
                    Typed::DeploymentConfig(spec) => Some(Arc::clone(spec)),
                    _ => None,
                };
                Configuration { spec_hash: spec_hash(&object), object: Arc::new(object), deployment_config }
            });
            found.push((reference, made.clone()));
        }
        found
    }
}

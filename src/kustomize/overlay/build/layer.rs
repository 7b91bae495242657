//! Layers: a kustomization with its bases and components.

use std::sync::Arc;

use super::accumulated::Layer;
use super::{charts, resource_files, transformers};
use crate::overlay::accumulator::Accumulator;
use crate::overlay::bases::is_kustomization;
use crate::overlay::context::BuildContext;
use crate::overlay::field_specs::config::Config;
use crate::overlay::generate;
use crate::overlay::generate::Kind;
use crate::overlay::input::kustomization::Kustomization;
use crate::overlay::input::{File, Found, Generator, Reader, Text};
use crate::overlay::model::{Maker, Resource};
use crate::vendor::Declaring;
use crate::vendor::path::{is_within, relative, shown};
use crate::yaml;
use crate::yaml::{Error, Origin};

/// Maximum nesting depth of kustomizations.
const MAX_DEPTH: usize = 64;
/// Maximum number of kustomizations in a rendering. Each counts once per use.
const MAX_KUSTOMIZATIONS: usize = 10_000;

impl BuildContext<'_> {
    /// Accumulates the objects of the kustomization being built.
    pub(crate) fn build(&mut self, kustomization: &Kustomization) -> Result<Accumulator, Error> {
        let (entry, nothing) = (self.entry.clone(), self.empty_accumulator());
        self.set_openapi(kustomization, &entry)?;
        let above = [entry.clone()];
        let namespace = kustomization.namespace.as_ref().map(|namespace| &*namespace.text);
        self.gather(kustomization, &Layer { directory: &entry, above: &above, namespace }, nothing)
    }

    /// Adds the resources, generated objects and components of a kustomization to the accumulator, and runs its transformers.
    fn gather(
        &mut self,
        kustomization: &Kustomization,
        layer: &Layer<'_>,
        mut accumulator: Accumulator,
    ) -> Result<Accumulator, Error> {
        let (mut made, mut made_by_plugins) = (Vec::new(), Vec::new());
        // These steps do not depend on one another, so their errors are reported together.
        let read = [
            self.each(&kustomization.resources, |this, path| this.resource(path, layer, &mut accumulator)),
            self.each(&kustomization.configurations, |this, path| this.configure(path, layer, &mut accumulator)),
            self.each(&kustomization.crds, |this, path| this.add_crds(path, layer, &mut accumulator)),
            self.generate(Kind::ConfigMap, &kustomization.config_maps, kustomization, layer, &mut made),
            self.generate(Kind::Secret, &kustomization.secrets, kustomization, layer, &mut made),
            self.generate_with_plugins(kustomization, layer, &mut made_by_plugins),
        ];
        self.each(read, |_, read| read)?;
        self.each(made, |this, (resource, at)| {
            generate::absorb(&mut accumulator.resource_map, resource, at, &this.provenance)
        })?;
        let at = Declaring { directory: layer.directory, file: &kustomization.path, namespace: layer.namespace };
        self.each(&kustomization.charts, |this, chart| {
            charts::absorb(this, chart, at, kustomization, &mut accumulator.resource_map)
        })?;
        self.each(made_by_plugins, |this, (resource, at)| {
            generate::absorb(&mut accumulator.resource_map, resource, at, &this.provenance)
        })?;
        for path in &kustomization.components {
            let directory = match self.files.find(layer.directory, path, &mut self.provenance)? {
                Found::Directory(directory) => directory,
                Found::File(file) => {
                    let message = format!("{} is a file; components are directories with a kustomization", file.path);
                    return Err(path.error(message));
                }
            };
            accumulator = self.descend(&directory, path, true, layer, accumulator)?;
        }
        let plugins = self.load_plugins(kustomization, layer)?;
        transformers::apply(self, kustomization, layer.directory, plugins, accumulator)
    }

    /// Adds the objects of an entry of `resources`.
    pub(super) fn resource(
        &mut self,
        path: &Text,
        layer: &Layer<'_>,
        accumulator: &mut Accumulator,
    ) -> Result<(), Error> {
        let file = match self.files.find(layer.directory, path, &mut self.provenance)? {
            Found::File(file) => file,
            Found::Directory(directory) => {
                if let Some(error) = self.failed.get(&directory) {
                    return Err(error.clone());
                }
                let nothing = self.empty_accumulator();
                let below = self.descend(&directory, path, false, layer, nothing);
                let below = below.inspect_err(|error| drop(self.failed.insert(directory, error.clone())))?;
                accumulator.resource_map.extend(below.resource_map, &self.provenance)?;
                accumulator.vars.extend(below.vars, &self.provenance)?;
                return self.merge(&mut accumulator.config, &below.config, path);
            }
        };
        if is_kustomization(&file.path) {
            return Err(path.error(format!("{} is a kustomization; name its directory", file.path)));
        }
        for mut resource in resource_files::objects(file.input(), &mut self.interner)? {
            self.look_up_scope(&mut resource);
            if self.records_changes {
                resource.made_by = Some(Maker::File(relative(&file.path, &self.entry).into()));
            }
            accumulator.resource_map.append(resource, &self.provenance)?;
        }
        Ok(())
    }

    /// Adds the objects of a directory.
    fn descend(
        &mut self,
        directory: &str,
        path: &Text,
        is_component: bool,
        layer: &Layer<'_>,
        accumulator: Accumulator,
    ) -> Result<Accumulator, Error> {
        if let Some(seen) = layer.above.iter().find(|above| is_within(above, directory)) {
            let message = circle(seen, directory);
            return Err(path.error(message));
        }
        self.kustomizations += 1;
        if layer.above.len() >= MAX_DEPTH || self.kustomizations > MAX_KUSTOMIZATIONS {
            let message = format!(
                "kustomizations may nest at most {MAX_DEPTH} deep, and at most {MAX_KUSTOMIZATIONS} are built; flatten them"
            );
            return Err(path.error(message));
        }
        let kustomization = self.open(directory, path.origin)?;
        match (is_component, kustomization.is_component) {
            (true, false) => {
                return Err(path.error(format!("{} is not a component; list it in resources", shown(directory))));
            }
            (false, true) => {
                return Err(path.error(format!("{} is a component; list it in components", shown(directory))));
            }
            _ => {}
        }
        self.set_openapi(&kustomization, directory)?;
        let above: Vec<_> = layer.above.iter().cloned().chain([directory.to_owned()]).collect();
        let own = kustomization.namespace.as_ref().map(|namespace| &*namespace.text);
        let below = Layer { directory, above: &above, namespace: own.or(layer.namespace) };
        self.gather(&kustomization, &below, accumulator)
    }

    /// Adds the field specs of an entry of `configurations`.
    fn configure(&mut self, path: &Text, layer: &Layer<'_>, accumulator: &mut Accumulator) -> Result<(), Error> {
        let file = self.files.load(layer.directory, path, &mut self.provenance)?;
        let config = self.read_config(&file)?;
        self.merge(&mut accumulator.config, &Arc::new(config), path)
    }

    fn read_config(&mut self, file: &File<'_>) -> Result<Config, Error> {
        let Some(node) = yaml::kustomization_with(file.input(), &mut self.warnings)? else {
            return Ok(Config::default());
        };
        let mut reader = Reader::default();
        let config = Config::read(&node, &mut reader);
        self.collect_problems(reader)?;
        Ok(config)
    }

    /// Makes the objects of generators, each with the origin of its entry.
    fn generate(
        &mut self,
        kind: Kind,
        generators: &[Generator],
        kustomization: &Kustomization,
        layer: &Layer<'_>,
        made: &mut Vec<(Resource, Origin)>,
    ) -> Result<(), Error> {
        self.each(generators.iter().enumerate(), |this, entry| {
            let mut place = generate::Place {
                directory: layer.directory,
                files: &mut this.files,
                provenance: &mut this.provenance,
                options: &kustomization.options,
            };
            let mut resource = generate::make(kind, entry, &mut place)?;
            if this.records_changes {
                let kind = match kind {
                    Kind::ConfigMap => "ConfigMapGenerator",
                    Kind::Secret => "SecretGenerator",
                };
                resource.made_by = Some(this.maker(kustomization, layer.directory, kind));
            }
            made.push((resource, entry.1.origin));
            Ok(())
        })
    }
}

/// Returns the message for a directory that is part of itself.
fn circle(seen: &str, directory: &str) -> String {
    let remedy = "move what both need into a directory of its own";
    if seen == directory {
        return format!("{} is already being built and cannot be part of itself; {remedy}", shown(seen));
    }
    format!("{} contains {}, which is already being built; {remedy}", shown(directory), shown(seen))
}

//! Loads the plugins of a layer, and generates with them.

use std::sync::Arc;

use super::accumulated::Layer;
use super::resource_files;
use crate::overlay::context::BuildContext;
use crate::overlay::generate;
use crate::overlay::input::kustomization::Kustomization;
use crate::overlay::input::{Reader, Text};
use crate::overlay::model::{Maker, Resource};
use crate::overlay::plugins::{PluginGenerator, Role, Transformer, builtin_kind, service_account};
use crate::yaml;
use crate::yaml::{Error, Input, Origin};

/// The transformers and validators of a layer.
#[derive(Debug)]
pub(super) struct Plugins {
    pub(super) transformers: Vec<Transformer>,
    pub(super) validators: Vec<Transformer>,
}

impl BuildContext<'_> {
    /// Loads the transformers and validators of a kustomization.
    pub(super) fn load_plugins(&mut self, kustomization: &Kustomization, layer: &Layer<'_>) -> Result<Plugins, Error> {
        let transformers = self.transformers(&kustomization.transformers, kustomization, layer)?;
        let validators = self.transformers(&kustomization.validators, kustomization, layer)?;
        Ok(Plugins { transformers, validators })
    }

    fn transformers(
        &mut self,
        entries: &[Text],
        kustomization: &Kustomization,
        layer: &Layer<'_>,
    ) -> Result<Vec<Transformer>, Error> {
        let configs = self.plugin_configs(entries, kustomization, layer)?;
        let mut transformers = Vec::new();
        self.each(configs, |this, config| {
            let (kind, maker) = (builtin_kind(&config, Role::Transformer)?, maker(&config));
            let mut reader = Reader::lenient();
            transformers.push(Transformer::read(kind, &config, maker, &mut reader));
            this.collect_problems(reader)
        })?;
        Ok(transformers)
    }

    /// Makes the objects of the generators that are plugins, each with the origin of its configuration.
    pub(super) fn generate_with_plugins(
        &mut self,
        kustomization: &Kustomization,
        layer: &Layer<'_>,
        made: &mut Vec<(Resource, Origin)>,
    ) -> Result<(), Error> {
        let configs = self.plugin_configs(&kustomization.generators, kustomization, layer)?;
        self.each(configs, |this, config| {
            let kind = builtin_kind(&config, Role::Generator)?;
            let mut reader = Reader::lenient();
            let generator = PluginGenerator::read(kind, &config, &mut reader);
            this.collect_problems(reader)?;
            let mut resource = match &generator {
                PluginGenerator::Data(kind, generator) => {
                    let options = Default::default();
                    let mut place = generate::Place {
                        directory: layer.directory,
                        files: &mut this.files,
                        provenance: &mut this.provenance,
                        options: &options,
                    };
                    generate::make(*kind, (0, generator), &mut place)?
                }
                PluginGenerator::Iam(iam) => service_account(iam, &mut this.provenance)?,
            };
            resource.made_by = maker(&config);
            made.push((resource, config.node.origin));
            Ok(())
        })
    }

    /// Returns the configurations of plugins. An entry is a configuration itself, or the path of a file or directory. Those in the
    /// entries come first, as in kustomize.
    fn plugin_configs(
        &mut self,
        entries: &[Text],
        kustomization: &Kustomization,
        layer: &Layer<'_>,
    ) -> Result<Vec<Resource>, Error> {
        let mut accumulator = self.empty_accumulator();
        let mut paths = Vec::new();
        for entry in entries {
            let (source, bytes) = (entry.origin.source, entry.text.as_bytes());
            let input = Input { base: entry.base, ..Input::of_file(source, bytes) }.within(self.files.budget);
            match resource_files::objects(input, &mut self.interner) {
                Ok(configs) => {
                    for mut config in configs {
                        if self.records_changes {
                            config.made_by = Some(Maker::File(self.file(kustomization, layer.directory)));
                        }
                        accumulator.resource_map.append(config, &self.provenance)?;
                    }
                }
                Err(error) if entry.text.contains(['\n', '{']) => return Err(error),
                Err(_) => paths.push(entry),
            }
        }
        self.each(paths, |this, path| this.resource(path, layer, &mut accumulator))?;
        let mut configs = accumulator.resource_map.into_resources();
        // Configurations pass through JSON, which normalizes numbers.
        self.each(&mut configs, |_, config| yaml::normalize(&mut config.node))?;
        Ok(configs)
    }
}

/// Returns what annotations name as the origin of a plugin's work.
fn maker(config: &Resource) -> Option<Maker> {
    let configured_in = match config.made_by.as_ref()? {
        Maker::File(path) => Arc::clone(path),
        Maker::Builtin { .. } | Maker::Plugin { .. } => Arc::default(),
    };
    Some(Maker::Plugin { configured_in, id: config.id() })
}

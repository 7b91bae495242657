//! Runs the transformers and validators that are plugins.

use super::patches;
use super::transformers::Run;
use crate::overlay::input::{Reader, Text};
use crate::overlay::model::Resource;
use crate::overlay::model::values::Naming;
use crate::overlay::output::add_hashes;
use crate::overlay::plugins::{Action, Transformer, ValueAdd, add_value};
use crate::overlay::select::Selector;
use crate::overlay::transform::affix::Side;
use crate::overlay::transform::{affix, images, labels, namespace, replicas};
use crate::yaml;
use crate::yaml::{Base, Error};

impl Run<'_, '_> {
    /// Runs transformers that are plugins.
    pub(super) fn plugins(&mut self, transformers: &[Transformer]) -> Result<(), Error> {
        transformers.iter().try_for_each(|transformer| {
            self.plugin(transformer)?;
            transformer.maker.iter().try_for_each(|maker| self.record(maker))
        })
    }

    /// Runs validators.
    ///
    /// # Errors
    /// [`Error`] if one of them changes an object.
    pub(super) fn validators(&mut self, validators: &[Transformer]) -> Result<(), Error> {
        for validator in validators {
            let before = self.resources.clone();
            self.charge(1, 0)?;
            self.plugin(validator)?;
            let changed = before.iter().zip(&self.resources).find(|(before, after)| !is_same(before, after));
            if let Some((before, _)) = changed {
                let message = format!(
                    "the validator {} changes {}, but validators only check; list it in transformers",
                    validator.kind,
                    before.id()
                );
                return Err(validator.origin.error(message));
            }
        }
        Ok(())
    }

    fn plugin(&mut self, transformer: &Transformer) -> Result<(), Error> {
        let (kind, naming) = (transformer.kind, Naming::Plugin(transformer.kind));
        let directory = self.directory;
        match &transformer.action {
            Action::Annotations { pairs, specs } | Action::Labels { pairs, specs } => {
                self.charge(2 * pairs.len(), specs.len())?;
                labels::apply(&mut self.resources, kind, pairs, specs, &mut self.context.provenance)
            }
            Action::Hash => add_hashes(&mut self.resources, &mut self.context.provenance),
            Action::Image { image, specs } => {
                self.charge(1, specs.len())?;
                self.patterns(1)?;
                let entries = (naming, std::slice::from_ref(&**image));
                let unused = images::apply(&mut self.resources, entries, specs, &mut self.context.provenance)?;
                self.context.warnings.extend(unused);
                Ok(())
            }
            Action::Namespace { namespace, specs, unset_only, subjects } => {
                let Some(namespace) = namespace else { return Ok(()) };
                self.charge(1, specs.len())?;
                let (unset_only, subjects) = (*unset_only, *subjects);
                let plan = namespace::Move { namespace, field: kind, specs, unset_only, subjects };
                namespace::apply(&mut self.resources, &plan, &mut self.context.provenance)
            }
            Action::JsonPatch(patch) => {
                self.charge(1, 0)?;
                self.patterns(1)?;
                let entries = (naming, std::slice::from_ref(&**patch));
                patches::json_patches(self.context, entries, directory, &mut self.resources)
            }
            Action::StrategicMerges(texts) => {
                patches::strategic_merges(self.context, (naming, texts), directory, &mut self.resources)
            }
            Action::Patch(patch) => {
                self.charge(1, 0)?;
                self.patterns(1)?;
                let entries = (naming, std::slice::from_ref(&**patch));
                patches::patches(self.context, entries, directory, &mut self.resources)
            }
            Action::Affixes { prefix, suffix, specs } => {
                for (text, side) in [(prefix, Side::Prefix), (suffix, Side::Suffix)] {
                    if let Some(text) = text {
                        self.charge(1, specs.len())?;
                        let provenance = &mut self.context.provenance;
                        affix::apply(&mut self.resources, (side, kind), text, specs, provenance)?;
                    }
                }
                Ok(())
            }
            Action::Replacements(fields) => {
                patches::replacements(self.context, (naming, fields), directory, &mut self.resources)
            }
            Action::Replicas { replica, specs } => {
                let entries = (naming, std::slice::from_ref(&**replica));
                replicas::apply(&mut self.resources, entries, specs, self.context)
            }
            Action::AddValue(values) => self.add_value(values, transformer),
        }
    }

    fn add_value(&mut self, values: &ValueAdd, transformer: &Transformer) -> Result<(), Error> {
        let (directory, origin) = (self.directory, transformer.origin);
        let name = directory.rsplit('/').next().unwrap_or_default();
        let value = match &values.value {
            Some(value) => value.clone(),
            None if name.is_empty() => {
                let message = "the value is missing; write `value`: kustomize would use the name of the directory, which the \
                               root of a repository does not have";
                return Err(origin.error(message));
            }
            None => Text { text: name.into(), origin, base: Base::default() },
        };
        let mut more = Vec::new();
        if let Some(path) = &values.more {
            let file = self.context.files.load(directory, path, &mut self.context.provenance)?;
            let mut reader = Reader::lenient();
            if let Some(node) = yaml::kustomization_with(file.input(), &mut reader.warnings)? {
                more = ValueAdd::read_targets(&node, &mut reader);
            }
            self.context.collect_problems(reader)?;
        }
        for target in values.targets.iter().chain(&more) {
            self.charge(1, 0)?;
            let selector = target.selector.as_ref().map(Selector::read).transpose()?;
            for resource in &mut self.resources {
                if selector.as_ref().is_some_and(|selector| !selector.matches(resource)) {
                    continue;
                }
                let provenance = &mut self.context.provenance;
                if &*target.field.text == "metadata/namespace" {
                    let plan = namespace::Move {
                        namespace: &value,
                        field: transformer.kind,
                        specs: &[],
                        unset_only: false,
                        subjects: namespace::Subjects::default(),
                    };
                    namespace::move_one(resource, &plan, provenance)?;
                } else {
                    add_value(resource, &value, target, provenance)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns `true` if two objects are equal, and have the same history of names.
fn is_same(a: &Resource, b: &Resource) -> bool {
    (&a.previous, &a.prefixes, &a.suffixes) == (&b.previous, &b.prefixes, &b.suffixes)
        && matches!((a.node.to_value(), b.node.to_value()), (Ok(a), Ok(b)) if a == b)
}

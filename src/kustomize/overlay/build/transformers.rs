//! Runs the transformers of a kustomization in order.

use std::sync::Arc;

use super::patches;
use super::plugins::Plugins;
use crate::overlay::accumulator::Accumulator;
use crate::overlay::budget::{Cost, PATTERN};
use crate::overlay::context::BuildContext;
use crate::overlay::field_specs::config::Config;
use crate::overlay::field_specs::spec::{FieldSpec, Gvk};
use crate::overlay::field_specs::{config, spec};
use crate::overlay::input::kustomization::Kustomization;
use crate::overlay::input::{LabelEntry, Text};
use crate::overlay::model::resource_map::ResourceMap;
use crate::overlay::model::values::Naming;
use crate::overlay::model::{Maker, Resource};
use crate::overlay::transform::affix::Side;
use crate::overlay::transform::{affix, images, labels, namespace, replicas};
use crate::yaml::{Base, Error};

/// Cost of a layer for each object, in visits: the object is examined and indexed.
const LAYER: usize = 8;

/// Runs the transformers of a kustomization on everything that it accumulated.
///
/// # Errors
/// [`Error`] from the first transformer that fails.
///
/// # Source
/// kustomize `configureBuiltinTransformers`: the order of the fields in the file does not matter.
pub(crate) fn apply(
    context: &mut BuildContext<'_>,
    kustomization: &Kustomization,
    directory: &str,
    plugins: Plugins,
    accumulator: Accumulator,
) -> Result<Accumulator, Error> {
    let config = Arc::clone(&accumulator.config);
    let (mut vars, mut resources) = (accumulator.vars, accumulator.resource_map.into_resources());
    // Those that were read before the document was named have the scope that it says, too.
    resources.iter_mut().for_each(|resource| context.look_up_scope(resource));
    let cost = Cost::of(&resources);
    let mut run = Run { context, kustomization, directory, config: &config, resources, cost };
    // Every layer has this cost, even an empty one.
    run.charge(LAYER, 0)?;
    run.strategic_merges()?;
    run.patches()?;
    run.names()?;
    run.labels()?;
    run.json_patches()?;
    run.rest()?;
    run.plugins(&plugins.transformers)?;
    run.validators(&plugins.validators)?;
    let Run { context, mut resources, .. } = run;
    vars.declare(&kustomization.vars, &mut resources, &context.provenance, &mut context.budget)?;
    Ok(Accumulator { resource_map: ResourceMap::of(resources), config, vars })
}

/// A run of transformers on the objects of a layer.
pub(super) struct Run<'r, 't> {
    pub(super) context: &'r mut BuildContext<'t>,
    kustomization: &'r Kustomization,
    pub(super) directory: &'r str,
    config: &'r Config,
    pub(super) resources: Vec<Resource>,
    cost: Cost,
}

impl Run<'_, '_> {
    /// Charges the cost of entries that each visit some fields of all objects.
    pub(super) fn charge(&mut self, entries: usize, fields: usize) -> Result<(), Error> {
        self.context.budget.charge(self.cost.visits(entries, fields), self.kustomization.origin)
    }

    /// Charges the cost of compiling one regular expression for each entry.
    pub(super) fn patterns(&mut self, entries: usize) -> Result<(), Error> {
        self.context.budget.charge(entries.saturating_mul(PATTERN), self.kustomization.origin)
    }

    /// Records that a transformer of the kustomization has run on all objects.
    fn record_transformer(&mut self, kind: &'static str) -> Result<(), Error> {
        if !self.context.records_changes {
            return Ok(());
        }
        let maker = self.context.maker(self.kustomization, self.directory, kind);
        self.record(&maker)
    }

    /// Records that something has run on all objects.
    pub(super) fn record(&mut self, maker: &Maker) -> Result<(), Error> {
        self.charge(1, 0)?;
        for resource in &mut self.resources {
            resource.unshare_annotations(&mut self.context.provenance);
            if resource.skipped_changes > 0 {
                resource.skipped_changes -= 1;
                continue;
            }
            match &resource.made_by {
                Some(_) => resource.changed_by.push(maker.clone()),
                None => resource.made_by = Some(maker.clone()),
            }
        }
        Ok(())
    }

    fn strategic_merges(&mut self) -> Result<(), Error> {
        if self.kustomization.strategic_merges.is_empty() {
            return Ok(());
        }
        let entries = (Naming::Field("patchesStrategicMerge"), &*self.kustomization.strategic_merges);
        patches::strategic_merges(self.context, entries, self.directory, &mut self.resources)?;
        self.record_transformer("PatchStrategicMergeTransformer")
    }

    fn patches(&mut self) -> Result<(), Error> {
        let searching = self.kustomization.patches.iter().filter(|patch| patch.searches()).count();
        self.charge(searching, 0)?;
        self.patterns(searching)?;
        let entries = (Naming::Field("patches"), &*self.kustomization.patches);
        patches::patches(self.context, entries, self.directory, &mut self.resources)?;
        self.kustomization.patches.iter().try_for_each(|_| self.record_transformer("PatchTransformer"))?;
        Ok(())
    }

    fn json_patches(&mut self) -> Result<(), Error> {
        let searching = self.kustomization.json_patches.iter().filter(|patch| patch.searches()).count();
        self.charge(searching, 0)?;
        self.patterns(searching)?;
        let entries = (Naming::Field("patchesJson6902"), &*self.kustomization.json_patches);
        patches::json_patches(self.context, entries, self.directory, &mut self.resources)?;
        self.kustomization.json_patches.iter().try_for_each(|_| self.record_transformer("PatchJson6902Transformer"))?;
        Ok(())
    }

    /// Runs `namespace`, `namePrefix` and `nameSuffix`.
    fn names(&mut self) -> Result<(), Error> {
        if let Some(text) = &self.kustomization.namespace {
            self.charge(1, self.config.namespace.len())?;
            let plan = namespace::Move {
                namespace: text,
                field: "namespace",
                specs: &self.config.namespace,
                unset_only: false,
                subjects: namespace::Subjects::default(),
            };
            namespace::apply(&mut self.resources, &plan, &mut self.context.provenance)?;
            self.record_transformer("NamespaceTransformer")?;
        }
        let sides = [
            (&self.kustomization.prefix, (Side::Prefix, "namePrefix"), &self.config.prefix, "PrefixTransformer"),
            (&self.kustomization.suffix, (Side::Suffix, "nameSuffix"), &self.config.suffix, "SuffixTransformer"),
        ];
        for (text, side, specs, kind) in sides {
            if let Some(text) = text {
                self.charge(1, specs.len())?;
                affix::apply(&mut self.resources, side, text, specs, &mut self.context.provenance)?;
                self.record_transformer(kind)?;
            }
        }
        Ok(())
    }

    /// Runs `labels`, `commonLabels` and `commonAnnotations`.
    fn labels(&mut self) -> Result<(), Error> {
        let kustomization = self.kustomization;
        let built_in = self.config.labels.len() + self.config.common_labels.len();
        let fields = kustomization.labels.iter().map(|entry| entry.fields.len()).max().unwrap_or_default();
        let pairs = kustomization.labels.iter().map(|entry| entry.pairs.len()).sum::<usize>();
        self.charge(2 * pairs, built_in + fields)?;
        self.charge(2 * kustomization.common_labels.len(), built_in)?;
        self.charge(2 * kustomization.annotations.len(), self.config.annotations.len())?;
        for (i, entry) in kustomization.labels.iter().enumerate() {
            self.context.budget.charge(entry.fields.len().saturating_mul(built_in) / 16, entry.origin)?;
            let specs = self.label_specs(entry)?;
            let field = format!("labels[{i}]");
            labels::apply(&mut self.resources, &field, &entry.pairs, &specs, &mut self.context.provenance)?;
            self.record_transformer("LabelTransformer")?;
        }
        if !kustomization.labels.is_empty() || !kustomization.common_labels.is_empty() {
            let (pairs, specs) = (&kustomization.common_labels, &self.config.common_labels);
            labels::apply(&mut self.resources, "commonLabels", pairs, specs, &mut self.context.provenance)?;
            self.record_transformer("LabelTransformer")?;
        }
        if !kustomization.annotations.is_empty() {
            let (pairs, specs) = (&kustomization.annotations, &self.config.annotations);
            labels::apply(&mut self.resources, "commonAnnotations", pairs, specs, &mut self.context.provenance)?;
            self.record_transformer("AnnotationsTransformer")?;
        }
        Ok(())
    }

    /// Returns the field specs of an entry of `labels`.
    fn label_specs(&self, entry: &LabelEntry) -> Result<Vec<FieldSpec>, Error> {
        let at = Text { text: Arc::default(), origin: entry.origin, base: Base::default() };
        let error = |conflict: spec::Conflict| config::conflict(&conflict, &at);
        let mut specs = entry.fields.clone();
        spec::merge(&mut specs, &self.config.labels).map_err(error)?;
        if entry.selectors {
            spec::merge(&mut specs, &self.config.common_labels).map_err(error)?;
        } else {
            if entry.templates {
                spec::merge(&mut specs, &self.config.template_labels).map_err(error)?;
            }
            let own = FieldSpec::new(Gvk::default(), "metadata/labels", true);
            spec::merge(&mut specs, &[own]).map_err(error)?;
        }
        Ok(specs)
    }

    /// Runs `replicas`, `images` and `replacements`.
    fn rest(&mut self) -> Result<(), Error> {
        let kustomization = self.kustomization;
        self.charge(kustomization.images.len(), self.config.images.len())?;
        // Each entry of `images` compiles a regular expression.
        self.patterns(kustomization.images.len())?;
        if !kustomization.replicas.is_empty() {
            let specs = &self.config.replicas;
            let entries = (Naming::Field("replicas"), &*kustomization.replicas);
            replicas::apply(&mut self.resources, entries, specs, self.context)?;
            kustomization.replicas.iter().try_for_each(|_| self.record_transformer("ReplicaCountTransformer"))?;
        }
        if !kustomization.images.is_empty() {
            let specs = &self.config.images;
            let provenance = &mut self.context.provenance;
            let unused = images::apply(
                &mut self.resources,
                (Naming::Field("images"), &kustomization.images),
                specs,
                provenance,
            )?;
            self.context.warnings.extend(unused);
            kustomization.images.iter().try_for_each(|_| self.record_transformer("ImageTagTransformer"))?;
        }
        if !kustomization.replacements.is_empty() {
            let entries = (Naming::Field("replacements"), &*kustomization.replacements);
            patches::replacements(self.context, entries, self.directory, &mut self.resources)?;
            self.record_transformer("ReplacementTransformer")?;
        }
        Ok(())
    }
}

//! The state that all layers of a rendering share.

use std::collections::HashMap;
use std::sync::Arc;

use crate::overlay::accumulator::Accumulator;
use crate::overlay::budget::Budget;
use crate::overlay::field_specs::config;
use crate::overlay::field_specs::config::Config;
use crate::overlay::input::kustomization::Kustomization;
use crate::overlay::input::{Files, Reader, Text, kustomization};
use crate::overlay::model::Maker;
use crate::overlay::model::resource_map::ResourceMap;
use crate::overlay::openapi_state::OpenApiState;
use crate::overlay::options::Options;
use crate::overlay::patch::Types;
use crate::overlay::vars::VarSet;
use crate::vendor::path::relative;
use crate::yaml::{Error, Interner, Origin, Provenance};
use tidegate_model::diagnostic::Diagnostic;

/// Maximum number of errors reported at once. Any others appear once these are fixed.
const MAX_ERRORS: usize = 100;
/// Maximum number of warnings reported.
const MAX_WARNINGS: usize = 1_000;

/// The state that all layers of a rendering share.
pub(crate) struct BuildContext<'t> {
    pub(crate) options: Options,
    pub(crate) files: Files<'t>,
    pub(crate) provenance: Provenance,
    pub(crate) errors: Vec<Error>,
    pub(crate) warnings: Vec<Diagnostic<Origin>>,
    pub(crate) builtin: Arc<Config>,
    /// The directory being built.
    pub(crate) entry: String,
    /// Whether to record what made and changed each object.
    pub(crate) records_changes: bool,
    /// Number of kustomizations used below others.
    pub(crate) kustomizations: usize,
    /// The work budget.
    pub(crate) budget: Budget,
    /// Strings that objects have in common.
    pub(crate) interner: Interner,
    /// The first error of each directory that failed, so that it is not built again.
    pub(crate) failed: HashMap<String, Error>,
    /// The types of objects, for strategic merges.
    pub(crate) types: Types,
    pub(crate) openapi: OpenApiState,
}

impl<'t> BuildContext<'t> {
    pub(crate) fn new(files: Files<'t>, entry: &str, options: Options) -> Self {
        Self {
            options,
            files,
            provenance: Provenance::default(),
            errors: Vec::new(),
            warnings: Vec::new(),
            builtin: Arc::new(Config::builtin()),
            entry: entry.to_owned(),
            records_changes: false,
            kustomizations: 0,
            budget: Budget::of(&options),
            interner: Interner::default(),
            failed: HashMap::new(),
            types: Types::default(),
            openapi: OpenApiState::default(),
        }
    }

    pub(crate) fn empty_accumulator(&self) -> Accumulator {
        Accumulator { resource_map: ResourceMap::default(), config: Arc::clone(&self.builtin), vars: VarSet::default() }
    }

    /// Reads the kustomization of a directory.
    pub(crate) fn open(&mut self, directory: &str, at: Origin) -> Result<Kustomization, Error> {
        let file = kustomization::find(directory, &mut self.files, &mut self.provenance, at)?;
        let mut reader = Reader::default();
        let kustomization = kustomization::kustomization(&file, &mut reader);
        self.collect_problems(reader)?;
        Ok(kustomization)
    }

    /// Takes over the warnings and errors of a reader.
    pub(crate) fn collect_problems(&mut self, reader: Reader) -> Result<(), Error> {
        self.warnings.extend(reader.warnings);
        self.all(reader.errors)
    }

    /// Calls a function for each value, and fails with all errors that occur.
    pub(crate) fn each<T>(
        &mut self,
        values: impl IntoIterator<Item = T>,
        mut act: impl FnMut(&mut Self, T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut errors = Vec::new();
        for value in values {
            if let Err(error) = act(self, value) {
                errors.push(error);
            }
            if self.errors.len() + errors.len() >= MAX_ERRORS {
                break;
            }
        }
        self.warnings.truncate(MAX_WARNINGS);
        self.all(errors)
    }

    /// Fails with the first error, and keeps the others.
    fn all(&mut self, errors: Vec<Error>) -> Result<(), Error> {
        let mut errors = errors.into_iter();
        let Some(first) = errors.next() else { return Ok(()) };
        self.errors.extend(errors);
        Err(first)
    }

    /// Adds the field specs of another configuration.
    pub(crate) fn merge(&mut self, config: &mut Arc<Config>, more: &Arc<Config>, at: &Text) -> Result<(), Error> {
        if Arc::ptr_eq(config, more) {
            return Ok(());
        }
        self.budget.charge(config.len().saturating_mul(more.len()) / 16, at.origin)?;
        Arc::make_mut(config).merge(more).map_err(|conflict| config::conflict(&conflict, at))
    }

    /// Returns the record of a generator or transformer of a kustomization for annotations.
    pub(crate) fn maker(&self, kustomization: &Kustomization, directory: &str, kind: &'static str) -> Maker {
        Maker::Builtin { configured_in: self.file(kustomization, directory), kind }
    }

    /// Returns the path of a kustomization file, relative to the directory being built.
    pub(crate) fn file(&self, kustomization: &Kustomization, directory: &str) -> Arc<str> {
        let file = if directory.is_empty() {
            kustomization.file.clone()
        } else {
            format!("{directory}/{}", kustomization.file)
        };
        relative(&file, &self.entry).into()
    }
}

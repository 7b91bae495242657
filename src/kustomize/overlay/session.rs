//! The state that all layers of a rendering share.

use std::collections::HashMap;
use std::sync::Arc;

use super::budget::Budget;
use super::config::{self, Config};
use super::fields::{Reader, Text};
use super::files::Files;
use super::kustomization::Kustomization;
use super::layer::Gathered;
use super::options::Options;
use super::path::relative;
use super::pool::Pool;
use super::read;
use super::resource::Maker;
use crate::yaml::{Fault, Origin, Provenance, Texts};

/// Maximum number of errors reported at once. Any others appear once these are fixed.
const MAX_FAULTS: usize = 100;
/// Maximum number of warnings reported.
const MAX_WARNINGS: usize = 1_000;

/// The state that all layers of a rendering share.
pub(super) struct Session<'t> {
    pub(super) options: Options,
    pub(super) files: Files<'t>,
    pub(super) provenance: Provenance,
    pub(super) faults: Vec<Fault>,
    pub(super) warnings: Vec<Fault>,
    pub(super) builtin: Arc<Config>,
    /// The directory being built.
    pub(super) entry: String,
    /// Whether to record what made and changed each object.
    pub(super) tells: bool,
    /// Number of kustomizations used below others.
    pub(super) kustomizations: usize,
    /// The work budget.
    pub(super) budget: Budget,
    /// Strings that objects have in common.
    pub(super) texts: Texts,
    /// The first error of each directory that failed, so that it is not built again.
    pub(super) failed: HashMap<String, Fault>,
}

impl<'t> Session<'t> {
    pub(super) fn new(files: Files<'t>, entry: &str, options: Options) -> Self {
        Self {
            options,
            files,
            provenance: Provenance::default(),
            faults: Vec::new(),
            warnings: Vec::new(),
            builtin: Arc::new(Config::builtin()),
            entry: entry.to_owned(),
            tells: false,
            kustomizations: 0,
            budget: Budget::of(&options),
            texts: Texts::default(),
            failed: HashMap::new(),
        }
    }

    pub(super) fn nothing(&self) -> Gathered {
        Gathered { pool: Pool::default(), config: Arc::clone(&self.builtin) }
    }

    /// Reads the kustomization of a directory.
    pub(super) fn open(&mut self, directory: &str, at: Origin) -> Result<Kustomization, Fault> {
        let file = read::find(directory, &mut self.files, &mut self.provenance, at)?;
        let mut reader = Reader::default();
        let kustomization = read::kustomization(&file, &mut reader);
        self.take(reader)?;
        Ok(kustomization)
    }

    /// Takes over the warnings and errors of a reader.
    pub(super) fn take(&mut self, reader: Reader) -> Result<(), Fault> {
        self.warnings.extend(reader.warnings);
        self.all(reader.faults)
    }

    /// Calls a function for each value, and fails with all errors that occur.
    pub(super) fn each<T>(
        &mut self,
        values: impl IntoIterator<Item = T>,
        mut act: impl FnMut(&mut Self, T) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut faults = Vec::new();
        for value in values {
            if let Err(fault) = act(self, value) {
                faults.push(fault);
            }
            if self.faults.len() + faults.len() >= MAX_FAULTS {
                break;
            }
        }
        self.warnings.truncate(MAX_WARNINGS);
        self.all(faults)
    }

    /// Fails with the first error, and keeps the others.
    fn all(&mut self, faults: Vec<Fault>) -> Result<(), Fault> {
        let mut faults = faults.into_iter();
        let Some(first) = faults.next() else { return Ok(()) };
        self.faults.extend(faults);
        Err(first)
    }

    /// Adds the field specs of another configuration.
    pub(super) fn merge(&mut self, config: &mut Arc<Config>, more: &Arc<Config>, at: &Text) -> Result<(), Fault> {
        if Arc::ptr_eq(config, more) {
            return Ok(());
        }
        self.budget.charge(config.len().saturating_mul(more.len()) / 16, at.origin)?;
        Arc::make_mut(config).merge(more).map_err(|conflict| config::conflict(&conflict, at))
    }

    /// Returns the record of a generator or transformer of a kustomization for annotations.
    pub(super) fn maker(&self, kustomization: &Kustomization, directory: &str, kind: &'static str) -> Maker {
        let file = if directory.is_empty() {
            kustomization.file.clone()
        } else {
            format!("{directory}/{}", kustomization.file)
        };
        Maker::Builtin { configured_in: relative(&file, &self.entry).into(), kind }
    }
}

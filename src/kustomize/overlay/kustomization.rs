//! Kustomization files as typed values.

use super::entry::{
    Generator, GeneratorOptions, Image, LabelEntry, PatchField, ReplacementField, Replica, SortOptions,
};
use super::fields::{Pairs, Text};
use crate::yaml::Origin;

/// A kustomization file.
#[derive(Debug, Default)]
pub(super) struct Kustomization {
    /// The name of the file.
    pub(super) file: String,
    /// Where it starts.
    pub(super) origin: Origin,
    pub(super) is_component: bool,
    pub(super) resources: Vec<Text>,
    pub(super) components: Vec<Text>,
    pub(super) configurations: Vec<Text>,
    pub(super) namespace: Option<Text>,
    pub(super) prefix: Option<Text>,
    pub(super) suffix: Option<Text>,
    pub(super) labels: Vec<LabelEntry>,
    pub(super) common_labels: Pairs,
    pub(super) annotations: Pairs,
    pub(super) patches: Vec<PatchField>,
    pub(super) strategic_merges: Vec<Text>,
    pub(super) json_patches: Vec<PatchField>,
    pub(super) images: Vec<Image>,
    pub(super) replicas: Vec<Replica>,
    pub(super) replacements: Vec<ReplacementField>,
    pub(super) config_maps: Vec<Generator>,
    pub(super) secrets: Vec<Generator>,
    pub(super) options: GeneratorOptions,
    pub(super) sort: Option<SortOptions>,
    pub(super) build_metadata: Option<Vec<Text>>,
}

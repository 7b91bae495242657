//! Rendering kustomizations.

mod patch_bench;
mod patch_json;
mod patch_merge;
mod patch_properties;
mod patch_targets;
mod replacement;

//! Kustomizations, rendered byte for byte as `kustomize build` prints them, with the file and line that set each value.
//!
//! [`yaml`] reads and writes YAML as Go does; [`overlay`] is kustomize's accumulator with its generators, transformers and patches.

pub mod overlay;
pub mod yaml;

//! Strategic merge patches and JSON patches.
//!
//! Pure. Owns reading patches, finding their targets and applying them. Does not own the files that contain patches.
//!
//! Behaves like kustomize 5.8.1, except for these cases:
//!
//! | situation | kustomize | here |
//! | --- | --- | --- |
//! | a target matches nothing, or a patch changes nothing | silent | warning |
//! | a JSON path has an empty step before its last one | changes a copy that is discarded | refused |
//! | a JSON patch copies the annotations | also copies kustomize's internal ones | leaves those out |
//! | `replace` or `copy` of a missing field; `add`, `move` or `copy` with the path `""` | depends on its json-patch version | refused |
//! | `test` of numbers | compares them as strings | compares their values |
//! | more than 10,000 operations, more than 16 MiB after copies, more than 64 levels | accepted | refused |
//! | lists of more than 1,000 elements without unique keys | merged | refused |
//! | an entry deletes an object and merges into later ones | crashes | works |
//! | an unquoted date with a time, merged into a flow mapping | stays | becomes a full timestamp |
//! | a malformed `labelSelector`, if the rest of the target matches no object | ignored | refused |
//!
//! # Source
//! kustomize `api/internal/builtins/PatchTransformer`, kyaml v0.21 `yaml/walk` and `yaml/merge2`.

mod apply;
mod compare;
mod entry;
mod internal_annotations;
mod json;
mod merge;
mod read;
mod recorder;

pub use self::apply::apply;
pub(crate) use self::apply::apply_within;
pub(crate) use self::compare::is_same;
pub use self::entry::{Head, Options, PatchEntry};
pub(crate) use self::merge::{Document, Types, builtin_type};
pub use self::merge::{Mismatch, merge_value};
pub(crate) use self::recorder::Recorder;

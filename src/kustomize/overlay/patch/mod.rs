//! Patches: parts of objects that are merged, and operations that are carried out.
//!
//! Pure. Owns what a patch is, which objects it is for, and what it makes of them. Does not own the files in which patches stand.
//!
//! Does what kustomize 5.8.1 does, but for these rows:
//!
//! | situation | kustomize | here |
//! | --- | --- | --- |
//! | a target matches nothing, a patch changes nothing | silent | warned of |
//! | a JSON path with an empty step before its last | changes a copy that is thrown away | refused |
//! | a JSON patch copies the annotations | copies the notes of kustomize too | does not |
//! | `replace` or `copy` of a missing member; `add`, `move` or `copy` with the path `""` | by the json-patch of its build | refused |
//! | `test` of numbers | compares their texts | compares their values |
//! | more than 10,000 operations, more than 16 MiB after copies, more than 64 levels | done | refused |
//! | lists of more than 1,000 elements without a key of their own | merged | refused |
//! | an entry that deletes an object and merges into others behind it | crashes | done |
//! | a date with a time and without quotes, merged into a mapping between braces | stays | becomes a full timestamp |
//! | a `labelSelector` that is wrong, and no object that the rest of the target takes | ignored | refused |
//!
//! # Source
//! kustomize `api/internal/builtins/PatchTransformer`, kyaml v0.21 `yaml/walk` and `yaml/merge2`.

mod apply;
mod books;
mod directive;
mod element;
mod entry;
mod json;
mod like;
mod list;
mod marks;
mod merge;
mod operation;
mod pointer;
mod prepare;
mod schema;
mod setter;
mod text;
mod tuple;

pub(super) use self::apply::apply_within;
pub use self::apply::{Warning, apply};
pub use self::entry::{Head, Options, PatchEntry};
pub(super) use self::like::is_same;
pub(super) use self::marks::Marks;

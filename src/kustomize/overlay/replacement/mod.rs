//! Replacements: values that are copied from one object into others.
//!
//! Pure. Owns what a replacement says, and carrying it out. Does not own the files in which replacements stand.
//!
//! Does what kustomize 5.8.1 does, but for these rows:
//!
//! | situation | kustomize | here |
//! | --- | --- | --- |
//! | a target selects nothing | silent | warned of |
//! | a path goes on inside of a text that is YAML | writes the text anew | refused |
//! | a path goes on inside of a text behind `*` | changes a copy that is thrown away | refused |
//! | a field that `[name=x]` has made does not match `x` | never ends | refused |
//! | an empty text for a field that holds nothing, or that a replacement made | `""` | null |
//! | `*` in the path of a target that holds the source, too | goes on with what the first field has become | the same value for all |
//! | values of more than 16 MiB in all | done | refused |
//!
//! # Source
//! kustomize `api/filters/replacement`, kyaml v0.21 `yaml/match.go` and `yaml/fns.go`.

mod apply;
mod embedded;
mod find;
mod path;
mod read;
mod value;

pub use self::apply::apply;
pub(super) use self::apply::apply_within;
pub use self::read::{Replacement, replacements};

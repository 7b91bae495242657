//! Replacements: values that are copied from one object into others.
//!
//! Pure. Owns reading and applying replacements. Does not own the files that contain them.
//!
//! Behaves like kustomize 5.8.1, except for these cases:
//!
//! | situation | kustomize | here |
//! | --- | --- | --- |
//! | a target selects nothing | silent | warning |
//! | a path continues inside a string that contains YAML | rewrites the string | refused |
//! | a path continues inside a string after `*` | changes a copy that is discarded | refused |
//! | an element that `[name=x]` creates does not match `x` | never ends | refused |
//! | an empty string for a field that is null, or that a replacement created | `""` | null |
//! | `*` in the path of a target that also holds the source | continues with the new value of the first field | the same value for all |
//! | values of more than 16 MiB in total | accepted | refused |
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
pub(crate) use self::apply::apply_within;
pub(crate) use self::find::create_scalar;
pub(crate) use self::path::Path;
pub use self::read::{Replacement, replacements};

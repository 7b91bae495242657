//! Kustomizations, rendered as kustomize renders them.
//!
//! Pure. Owns reading kustomization files, the layers, generators and transformers, and the order of their work. Does not own YAML,
//! or what an object means to Tidegate.
//!
//! Gives what kustomize 5.8.1 gives, byte for byte, and fails where it fails, but for these rows, those of [`crate::yaml`], and those
//! of [`patch`] and [`replacement`]:
//!
//! | situation | kustomize | here |
//! | --- | --- | --- |
//! | remote files and directories, absolute paths, paths that leave the repository, symbolic links | read | refused |
//! | `helmCharts`, `generators`, `transformers`, `validators` | run programs | refused |
//! | `vars`, `crds`, `openapi`, `varReference` | done | refused |
//! | a `name` of `images` that is no regular expression | crashes | refused |
//! | lines of env files from 64 KiB on | left out with all that follows | refused |
//! | a name without `=` in an env file | read from the environment | empty |
//! | annotations of `internal.config.kubernetes.io` in resource files | obeyed | left out |
//! | unknown fields in files that `replacements` name | ignored | refused |
//! | `buildMetadata: [managedByLabel]` | names its own version | names 5.8.1 |
//! | more than 50,000 objects, 64 layers, 10,000 kustomizations, 64 MiB of files, or 20 million visits of entries to objects | done | refused |

mod complaint;
mod config;
mod entry;
mod fields;
mod files;
mod finish;
mod generate;
mod id;
mod kustomization;
mod layer;
mod load;
mod metadata;
mod name_tables;
mod order;
pub mod patch;
mod patching;
mod path;
mod pool;
mod rank;
mod read;
mod references;
mod refuse;
mod render;
pub mod replacement;
mod resource;
mod scope;
mod select;
mod session;
mod set;
mod shared;
mod spec;
mod tables;
mod transform;
mod transformers;
mod walk;

pub use self::complaint::{Complaint, Severity};
pub use self::id::Id;
pub use self::render::{Rendered, RenderedObject, render};
pub use self::resource::{Behavior, Maker, Previous, Resource};
pub use self::select::Selector;

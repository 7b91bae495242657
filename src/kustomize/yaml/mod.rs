//! YAML as Go reads and writes it, as trees that record the origin of each value.
//!
//! Pure. Owns parsing files into trees, the trees with their origins, and writing them byte for byte as `kustomize build` prints
//! them. Does not own the meaning of documents.
//!
//! Reads what go-yaml reads, with these exceptions:
//!
//! | situation | go-yaml | here |
//! | --- | --- | --- |
//! | U+0085, U+2028 and U+2029 unescaped in a file | end lines | rejected |
//! | `?`, or `:` without a space, in plain scalars between brackets or braces | part of the collection syntax | rejected |
//! | continuation lines of quoted scalars that are not indented deeper than their key | accepted | rejected |
//! | comments directly after a quote, a bracket, a comma or a block header | accepted | rejected |
//! | the escape `\'`, the key `*a:`, a byte order mark inside a document | accepted | rejected |
//! | tabs in lines without content, or after `-` | rejected | accepted |
//! | more than 4 MiB, 64 levels, or 100,000 nodes from aliases; more than 3 million nodes in a revision | accepted | rejected |
//! | content after a document that is indented less than its start, or after `...` | ignored | rejected |
//! | files in UTF-16 | accepted | rejected |
//!
//! # Source
//! `go.yaml.in/yaml` v2.4 and v3.0, `sigs.k8s.io/yaml` v1.5, `sigs.k8s.io/kustomize/kyaml` v0.21.

mod budget;
mod describe;
mod fields;
mod interner;
mod limits;
mod origin;
mod parse;
mod scalar;
mod tree;
mod write;

pub use self::budget::{MAX_NODES, NodeBudget};
pub(crate) use self::describe::described;
pub(crate) use self::fields::{Fields, Pairs, Reader, Text};
pub use self::limits::{MAX_ALIASED, MAX_BYTES, MAX_DEPTH};
pub use self::origin::{Error, Origin, Provenance, SourceId, Step, StepId};
pub use self::parse::{Base, Input, kustomization, kustomization_with, manifests, resources, resources_with};
pub use self::scalar::{Kind, Number, Scalar, Schema, Style, Typed, kind_of};
pub use self::tree::{Content, Entry, Interner, Key, Mapping, Node, OrderedMap};
pub use self::write::{normalize, write, write_all};

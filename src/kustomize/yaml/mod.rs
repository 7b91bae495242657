//! YAML as Go reads and writes it, in trees that know where each value comes from.
//!
//! Pure. Owns reading into trees, the trees with their origins, and writing them, byte for byte as `kustomize build` prints. Does
//! not own what a document means.
//!
//! Reads what go-yaml reads, but for these rows:
//!
//! | situation | go-yaml | here |
//! | --- | --- | --- |
//! | U+0085, U+2028 and U+2029 unescaped in a file | end lines | refused |
//! | `?`, or `:` without a blank, in text without quotes between brackets or braces | belongs to the collection | refused |
//! | further lines of quoted text that are not indented deeper than their key | read | refused |
//! | comments right behind a quote, a bracket, a comma or the head of a block | read | refused |
//! | the escape `\'`, the key `*a:`, a byte order mark inside of a document | read | refused |
//! | tabs in lines without text, or behind `-` | refused | read |
//! | more than 4 MiB, 64 levels, or 100,000 nodes behind aliases | read | refused |
//! | files in UTF-16 | read | refused |
//!
//! # Source
//! `go.yaml.in/yaml` v2.4 and v3.0, `sigs.k8s.io/yaml` v1.5, `sigs.k8s.io/kustomize/kyaml` v0.21.

mod analyze;
mod compose;
mod emit;
mod fault;
mod folded;
mod input;
mod mapping;
mod members;
mod node;
mod number;
mod order;
mod origin;
mod quoted;
mod read;
mod resolve;
mod scalar;
mod settle;
mod split;
mod syntax;
mod tag;
mod texts;
mod timestamp;
mod value;
mod words;
mod write;

pub use self::fault::Fault;
pub use self::input::{Base, Input, MAX_BYTES};
pub use self::mapping::{Key, Mapping, Member};
pub use self::node::{Content, Node};
pub use self::number::Number;
pub use self::origin::{Origin, Place, Provenance, SourceId, Step, StepId};
pub use self::read::{MAX_ALIASED, MAX_DEPTH, kustomization, kustomization_with, resources, resources_with};
pub use self::resolve::{Schema, kind_of};
pub use self::scalar::{Kind, Scalar, Style, Typed};
pub use self::settle::settle;
pub use self::texts::Texts;
pub use self::write::{write, write_all};

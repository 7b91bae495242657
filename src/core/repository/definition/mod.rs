//! Definitions of components and traits: their parameters, and what they render.
//!
//! A definition is never applied to the hub. Its expressions and its schema are compiled once, and what it renders from the same values is
//! rendered once, within limits for one component and for all together.
//!
//! # Source
//! KubeVela, `core.oam.dev/v1beta1`. `schematic.tidegate` is ours; its fields have the names of kro.

mod cluster;
mod component;
mod failure;
mod kind;
mod kube;
mod mistake;
mod modifier;
mod parameters;
mod refused;
mod schematic;
mod set;
mod step;
mod template;
mod work;

pub(crate) use self::cluster::ClusterReads;
pub(crate) use self::kind::{COMPONENT, TRAIT, schema_of};
pub(crate) use self::mistake::Mistake;
pub(crate) use self::modifier::TraitType;
pub(crate) use self::refused::refusal;
pub(crate) use self::schematic::Context;
pub(crate) use self::set::{Definitions, SHARED, Sample, is_definition};
pub(crate) use self::step::is_recognized;
pub(crate) use self::template::depth;

//! Vars: strings such as `$(NAME)` that stand for the value of a field of an object.
//!
//! A layer declares vars after its transformers ran, and its overlays inherit them. They are resolved once, at the very end, when
//! all names and references have their final values.
//!
//! # Source
//! kustomize 5.8.1 `ResAccumulator.MergeVars` and `ResolveVars`, `api/filters/refvar`.

mod declaration;
mod expand;
mod resolve;
mod set;
mod value;

pub(crate) use self::declaration::{Var, VarTarget};
pub(crate) use self::resolve::resolve;
pub(crate) use self::set::VarSet;

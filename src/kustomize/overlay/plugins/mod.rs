//! Plugins that are built into kustomize, configured by objects in `generators`, `transformers` and `validators`.
//!
//! Owns reading their configurations. Most of them do what a field of the kustomization does, with field specs of their own.
//! Programs and functions in containers are refused.
//!
//! # Source
//! kustomize 5.8.1 `api/internal/builtins`, `api/internal/plugins/loader`.

mod generator;
mod kind;
mod transformer;
mod value_add;

pub(crate) use self::generator::{PluginGenerator, service_account};
pub(crate) use self::kind::{Role, builtin_kind};
pub(crate) use self::transformer::{Action, Transformer};
pub(crate) use self::value_add::{ValueAdd, add_value};

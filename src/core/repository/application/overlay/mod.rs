//! Components of type `kustomize`, whose objects are those of an overlay of the repository.

mod component;
mod load;

pub(crate) use self::component::{KUSTOMIZE, MADE, REMOTE, made};
pub(super) use self::component::{objects, schema};
pub(crate) use self::load::add_overlays;

//! Components of type `kustomize`, whose objects are those of an overlay of the repository.

mod component;
mod load;

pub(crate) use self::component::{KUSTOMIZE, MADE, REMOTE, made};
pub(in crate::application) use self::component::{objects, schema};
pub(super) use self::load::add_overlays;

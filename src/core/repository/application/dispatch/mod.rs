//! Steps that dispatch parts of components to one cluster: which there are, and what clusters get of them.

mod objects;
mod steps;

pub(super) use self::objects::objects;
pub(crate) use self::objects::{Dispatchable, cautions, dispatchable};
pub(super) use self::steps::clusters;
pub(crate) use self::steps::{COMP_REV, TRAITS, is_dispatch, steps};

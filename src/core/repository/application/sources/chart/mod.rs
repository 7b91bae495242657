//! Components of type `helm`, whose objects are those that `tidegate vendor` rendered from a chart.

mod component;
mod elsewhere;
mod load;
mod wanted;

pub(crate) use self::component::{HELM, MADE, REMOTE, has_failed, made};
pub(in crate::application) use self::component::{VALUES, objects, schema};
pub(crate) use self::elsewhere::elsewhere;
pub(super) use self::load::add_charts;
pub(crate) use self::wanted::needs;

//! Reading of requests: paths, parameters, selectors. Pure.

mod options;
mod path;
mod selector;

pub(crate) use options::{DeleteOptions, Dialect, ListOptions, Parameters, Propagation, WriteOptions};
pub(crate) use path::{Route, Target, route};
pub(crate) use selector::Selector;

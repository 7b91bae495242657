//! Parsing of requests: paths, query parameters, options and selectors. Pure.

mod deletion;
mod options;
mod parameters;
mod path;
mod requester;
mod selector;
mod write;

pub(crate) use deletion::{DeleteOptions, Propagation};
pub(crate) use options::ListOptions;
pub(crate) use parameters::Parameters;
pub(crate) use path::{Route, Subresource, Target, route};
pub(crate) use requester::Requester;
pub(crate) use selector::Selector;
pub(crate) use write::{Dialect, FieldValidation, WriteOptions, WriteVerb};

//! `tidegate pause`, `resume`, `abort`, `retry` and `quarantine`: each commits a decision about rollouts to a control file.

mod clusters;
mod decision;
mod digest;
mod message;
mod report;
mod run;

pub(crate) use message::body;
pub(crate) use report::{acts, delivered};
pub(crate) use run::{abort, pause, quarantine, resume, retry};

//! Downloads what declarations refer to elsewhere, so that it can be vendored: the trees of Git repositories, files, and Helm charts,
//! which are rendered. All calls block, and none is retried ([`Error::is_transient`]).
//!
//! The callers decide what is needed and where it goes; the functions take plain values and return bytes, with the commit, version or
//! digest that they belong to. Nothing is written outside temporary directories.

mod access;
mod chart;
mod downloads;
mod error;
mod files;
mod git;
mod helm;
mod newest;
mod web;

pub use access::{Access, Limits};
pub use chart::{Chart, ChartRequest, Constraint, InvalidArchive, InvalidConstraint, unpack};
pub use downloads::Downloads;
pub use error::Error;
pub use git::{GitRequest, GitTree};
pub use helm::{DryRun, Helm, HelmLimits, Release, Vela};
pub use newest::Versioned;
pub use web::{Credentials, InvalidCredentials, InvalidNetrc, Reach};

//! Helm charts: from chart repositories and OCI registries, by version ranges, and their archives.

mod archive;
mod challenge;
mod constraint;
mod index;
mod oci;
mod repository;
mod request;
mod requested;

pub use archive::{InvalidArchive, unpack};
pub use constraint::{Constraint, InvalidConstraint};
pub(crate) use oci::tags;
pub(crate) use repository::index_versions;
pub(crate) use request::chart;
pub use requested::{Chart, ChartRequest};

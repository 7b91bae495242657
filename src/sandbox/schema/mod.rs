//! Structural schemas: validation of custom resources, and normalization of embedded metadata.
//!
//! A schema is parsed once into a [`Node`], with its patterns compiled, and then walked for each object. The errors and their
//! order are those of a real server; where a real server iterates over fields in random order, the fields are sorted here.
//!
//! # Source
//! `k8s.io/apiextensions-apiserver` v0.36 pkg/apiserver/schema and validation, `k8s.io/kube-openapi` pkg/validation.

mod check;
mod coerce;
mod combine;
mod embedded;
mod format;
mod judge;
mod keyed;
mod node;
mod number;
mod place;
mod rule;
mod rules;
mod words;

pub(crate) use check::Update;
pub(crate) use coerce::coerce;
pub(crate) use judge::judge;
pub(crate) use node::Node;

//! Structural schemas at work: what a custom resource may hold, what is dropped of it and what is filled in.
//!
//! A schema is read once into a [`Node`] and then walked, with patterns compiled. The order of complaints and their words are
//! those of a real server; where that goes through members in an order of chance, they are sorted here.
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

//! Validation of custom resources, and normalization of embedded metadata.
//!
//! The structural schema itself is compiled by [`tidegate_api::schema`]. Here it is walked as a real server does, with its errors in
//! its order; where a real server iterates over fields in random order, the fields are sorted here. Owns the validation rules (CEL).
//!
//! # Source
//! `k8s.io/apiextensions-apiserver` v0.36 pkg/apiserver/schema and validation, `k8s.io/kube-openapi` pkg/validation.

mod check;
mod coerce;
mod combine;
mod embedded;
mod errors;
mod evaluate;
mod list_items;
mod messages;
mod number;
mod rules;
mod validate;

pub(crate) use check::Update;
pub(crate) use coerce::coerce;
pub(crate) use rules::Rules;
pub(crate) use validate::validate;

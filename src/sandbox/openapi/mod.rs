//! What is served, described in OpenAPI v3: for `kubectl explain`, and for `kubectl apply`, which asks it who checks fields.
//!
//! # Source
//! `k8s.io/kube-openapi/pkg/handler3`, `k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder`.

mod core;
mod documents;
mod operations;

pub(crate) use documents::Documents;

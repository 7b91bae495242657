//! OpenAPI v3 documents, for `kubectl explain` and for `kubectl apply`, which looks up whether the server validates fields.
//!
//! # Source
//! `k8s.io/kube-openapi/pkg/handler3`, `k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder`.

mod core;
mod documents;
mod operations;

pub(crate) use documents::Documents;

//! The functions that Kubernetes adds.
//!
//! # Source
//! `k8s.io/apiserver` pkg/cel/library.

pub(super) mod lists;
pub(super) mod named_format;
pub(super) mod network;
pub(super) mod quantities;
pub(super) mod regex;
pub(super) mod semver;
pub(super) mod url;

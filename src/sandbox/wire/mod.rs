//! Kubernetes protobuf, in which kubectl sends the core kinds.
//!
//! Bodies are only decoded, never encoded: every client accepts JSON answers.
//!
//! # Source
//! `k8s.io/apimachinery/pkg/runtime/serializer/protobuf`, the `generated.proto` files of `k8s.io/api`.

mod decode;
mod field;
mod messages;

pub(crate) use decode::object;

/// The media type of Kubernetes protobuf.
pub(crate) const MEDIA_TYPE: &str = "application/vnd.kubernetes.protobuf";

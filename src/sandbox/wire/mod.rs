//! Bodies in the binary form of Kubernetes, which kubectl sends for the core kinds.
//!
//! Only what comes in is read: every client takes JSON for an answer.
//!
//! # Source
//! `k8s.io/apimachinery/pkg/runtime/serializer/protobuf`, the `generated.proto` files of `k8s.io/api`.

mod message;
mod messages;

pub(crate) use message::object;

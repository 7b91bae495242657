//! JSON objects as Go's types and unstructured objects see them.

mod fields;
pub(super) mod shape;
pub(super) mod unstructured;

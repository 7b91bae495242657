//! Request bodies: what they are, how they are decoded, and which of them are refused.

pub(super) mod admission;
pub(super) mod decoding;
mod definition;
pub(super) mod input;
pub(super) mod metadata;
pub(super) mod type_errors;
pub(super) mod validation;

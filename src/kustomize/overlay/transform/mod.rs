//! The transformers of a layer.

pub(super) mod affix;
pub(super) mod images;
pub(super) mod labels;
pub(super) mod namespace;
pub(super) mod replicas;

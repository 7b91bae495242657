//! The transformers of a layer.

pub(crate) mod affix;
pub(crate) mod images;
pub(crate) mod labels;
pub(crate) mod namespace;
pub(crate) mod replicas;

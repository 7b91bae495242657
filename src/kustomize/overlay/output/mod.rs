//! The steps that run once, after all layers are built: final names, order, annotations and scalars.

mod build_metadata;
mod finish;
mod order;
mod stray_directives;

pub(crate) use self::finish::{add_hashes, finish};

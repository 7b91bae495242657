//! What a release consists of besides the program: its container image, as an OCI image layout, and its bill of materials.
//!
//! Both are made from their inputs alone, so that the same inputs result in the same bytes, on every machine and at every time.

mod archive;
mod binary;
mod bom;
mod error;
mod image;
mod layout;

pub use bom::bill_of_materials;
pub use error::{Error, NotUsable};
pub use image::{Image, write_image};

//! Reads kustomization files as typed values, and finds the files that they name.

mod entries;
mod fields;
mod files;
pub(crate) mod kustomization;
pub(crate) mod path;
mod unsupported;
mod vars;

pub(crate) use self::entries::{
    Generator, GeneratorOptions, Image, LabelEntry, PatchField, ReplacementField, Replica, SortOptions, config_map,
    image, replacement, replica, secret,
};
pub(crate) use self::fields::{Fields, Pairs, Reader, Text};
pub(crate) use self::files::{File, Files, Found};

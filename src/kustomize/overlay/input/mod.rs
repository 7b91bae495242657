//! Reads kustomization files as typed values, and finds the files that they name.

mod entries;

pub(crate) mod kustomization;
mod vars;

pub(crate) use self::entries::{
    Generator, GeneratorOptions, Image, LabelEntry, PatchField, ReplacementField, Replica, SortOptions, config_map,
    image, replacement, replica, secret,
};
pub(crate) use crate::vendor::{File, Files, Found};
pub(crate) use crate::yaml::{Fields, Pairs, Reader, Text};

//! `tidegate crds`: the CustomResourceDefinitions of the OCM kinds, for a hub that has none.

use std::fmt::Write as _;

use super::failure::Failure;
use super::say::say;
use tidegate_api::ocm::crds;

/// Prints the CRDs as one YAML stream.
pub fn run() -> Result<(), Failure> {
    say(&document()?)
}

/// Returns the CRDs as one YAML stream.
pub fn document() -> Result<String, Failure> {
    let mut text = String::from("# Made by `tidegate crds` from the types in src/api/ocm.\n");
    for crd in crds::all().map_err(|error| Failure::internal(&error))? {
        let yaml = serde_saphyr::to_string(&crd).map_err(|error| Failure::internal(&error))?;
        // Writing into a String cannot fail.
        let _ = write!(text, "---\n{yaml}");
    }
    Ok(text)
}

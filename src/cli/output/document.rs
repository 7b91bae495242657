//! Formats and prints documents and objects.

use serde_json::Value;

use crate::cli::args::Output;
use crate::cli::failure::Failure;
use crate::cli::process::Process;

/// Formats a document for programs.
pub(crate) fn printed(output: Output, document: &Value) -> Result<String, Failure> {
    match output {
        Output::Json => serde_json::to_string_pretty(document).map_err(|error| Failure::internal(&error)),
        Output::Yaml => serde_saphyr::to_string(document).map_err(|error| Failure::internal(&error)),
    }
}

/// Prints one object as a YAML document.
pub(crate) fn print(process: &Process, object: &Value) -> Result<(), Failure> {
    let yaml = serde_saphyr::to_string(object).map_err(|error| Failure::internal(&error))?;
    process.say_line(&format!("---\n{}", yaml.trim_end()))
}

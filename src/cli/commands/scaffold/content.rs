//! What an add-on deploys: manifests, or a Helm chart.

use std::fs;
use std::io::Read as _;

use super::manifests;
use super::names::{check_chart, check_version};
use crate::cli::args::ContentArgs;
use crate::cli::failure::Failure;

/// The version of the first add-on.
pub(super) const VERSION: &str = "1.0.0";

/// What an add-on deploys.
pub(super) enum Content {
    /// The items of `manifests`, as text.
    Manifests(String),
    /// The address of a Helm chart.
    Chart(String),
}

/// Where the content of an add-on is, with its version.
pub(super) struct Source<'a> {
    from: &'a str,
    is_chart: bool,
    /// The version.
    pub(super) version: &'a str,
}

impl<'a> Source<'a> {
    /// Checks the arguments, and reads nothing.
    pub(super) fn new(addon: &str, args: &'a ContentArgs) -> Result<Self, Failure> {
        let from = args.from.as_str();
        let is_chart = ["oci://", "https://", "http://"].iter().any(|scheme| from.starts_with(scheme));
        if is_chart {
            check_chart(from)?;
        }
        let version = match (&args.version, is_chart) {
            (Some(version), _) => version.as_str(),
            (None, false) => VERSION,
            (None, true) => return Err(Failure::Usage("give the version of the chart with --version".to_owned())),
        };
        check_version(addon, version)?;
        Ok(Self { from, is_chart, version })
    }

    /// Reads the content.
    pub(super) fn content(&self) -> Result<Content, Failure> {
        Ok(match self.is_chart {
            true => Content::Chart(self.from.to_owned()),
            false => Content::Manifests(manifests::items(self.from, &read("--from", self.from)?)?),
        })
    }
}

/// Reads a file; `-` is the standard input.
pub(super) fn read(flag: &str, path: &str) -> Result<String, Failure> {
    let text = match path {
        "-" => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map(|_| text)
        }
        path => fs::read_to_string(path),
    };
    text.map_err(|error| {
        let hint = match flag {
            "--from" => "name a file with manifests, - for the standard input, or a chart such as oci://registry.example.com/charts/name",
            _ => "name a file that you may read, or - for the standard input",
        };
        Failure::Usage(format!("{flag} {path}: {error}; {hint}"))
    })
}

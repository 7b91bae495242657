//! Reads the document.

use serde_saphyr::{MessageFormatter as _, UserMessageFormatter};

use super::error::Error;
use super::lines;
use crate::snapshot::record::{KIND, NEVER_APPLIED, Snapshot};
use tidegate_model::document::API_VERSION;

impl Snapshot {
    /// Parses the document. What [`Snapshot::to_yaml`] writes is parsed line by line, which is many times faster; anything else as YAML.
    ///
    /// # Errors
    /// [`Error`] if the bytes are not a fleet, with the line and the field.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let text = std::str::from_utf8(bytes).map_err(Error::Text)?;
        header(text)?;
        let snapshot = match lines::parsed(text)? {
            Some(snapshot) => snapshot,
            None => serde_saphyr::from_str(text).map_err(|error| yaml(&error))?,
        };
        listed(&snapshot)?;
        Ok(snapshot)
    }
}

/// Describes why a document is not YAML, or not a fleet, in one line.
fn yaml(error: &serde_saphyr::Error) -> Error {
    let line = error.location().map_or(0, |at| at.line() as usize);
    let why = UserMessageFormatter.format_message(error.without_snippet());
    Error::Yaml { line, why: why.lines().next().unwrap_or_default().to_owned() }
}

/// Checks that the document is a fleet of a known version, before anything else of it is read.
fn header(text: &str) -> Result<(), Error> {
    let (line, found) = field(text, "apiVersion").ok_or(Error::Unmarked("apiVersion"))?;
    if found != API_VERSION {
        return Err(Error::Version { line, found: found.to_owned() });
    }
    let (line, found) = field(text, "kind").ok_or(Error::Unmarked("kind"))?;
    if found == KIND { Ok(()) } else { Err(Error::Kind { line, found: found.to_owned() }) }
}

/// Returns the value of a field at the top, with its line.
fn field<'t>(text: &'t str, name: &str) -> Option<(usize, &'t str)> {
    let value = |line: &'t str| line.strip_prefix(name)?.strip_prefix(':');
    let (line, value) = (1..).zip(text.lines()).find_map(|(number, line)| Some((number, value(line)?)))?;
    let value = value.split(" #").next().unwrap_or_default().trim();
    Some((line, value.trim_matches(['"', '\''])))
}

/// Checks that every key is in the table of configurations.
fn listed(snapshot: &Snapshot) -> Result<(), Error> {
    for (name, cluster) in &snapshot.clusters {
        for (addon, installed) in &cluster.addons {
            let keys = [("assigned", &installed.assigned), ("applied", &installed.applied), ("own", &installed.own)];
            let is_known =
                |key: &String| key.is_empty() || key == NEVER_APPLIED || snapshot.configurations.contains_key(key);
            if let Some((field, key)) = keys.into_iter().find(|(_, key)| !is_known(key)) {
                let field = format!("clusters.{name}.addons.{addon}.{field}");
                return Err(Error::Unlisted { field, key: key.clone() });
            }
        }
    }
    Ok(())
}

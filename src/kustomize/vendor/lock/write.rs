//! Writes the lock file.

use std::fmt::Write as _;

use super::types::{Lock, VendoredApplication, VendoredChart, VendoredDirectory, VendoredFile, What};

/// The comment at the start of the file.
const HEAD: &str =
    "# Written by `tidegate vendor`. Do not edit it; change the declarations and run `tidegate vendor`.\n";

impl Lock {
    /// Returns the content of the lock file: the entries sorted by directory, and the same bytes for the same entries.
    pub fn write(&self) -> String {
        let mut out = format!("{HEAD}apiVersion: tidegate.io/v1alpha1\nkind: VendorLock\n");
        if self.entries.is_empty() {
            out.push_str("entries: []\n");
        } else {
            out.push_str("entries:\n");
        }
        let mut entries: Vec<_> = self.entries.iter().collect();
        entries.sort_by(|a, b| a.directory.cmp(&b.directory));
        for entry in entries {
            line(&mut out, "- directory", Some(&entry.directory));
            match &entry.what {
                What::Git(git) => directory(&mut out, git),
                What::File(file) => self::file(&mut out, file),
                What::Chart(chart) => self::chart(&mut out, chart),
            }
            line(&mut out, "  files", Some(&sha256(&entry.files)));
        }
        applications(&mut out, &self.applications);
        out
    }
}

/// Adds the applications to a lock, if there are any.
fn applications(out: &mut String, applications: &[VendoredApplication]) {
    if applications.is_empty() {
        return;
    }
    let mut applications: Vec<_> = applications.iter().collect();
    applications.sort_by(|a, b| a.file.cmp(&b.file));
    out.push_str("applications:\n");
    for VendoredApplication { file, app, definitions, inputs, vela, content, place: _ } in applications {
        line(out, "- file", Some(file));
        line(out, "  app", Some(app));
        line(out, "  definitions", Some(definitions));
        line(out, "  inputs", Some(&sha256(inputs)));
        line(out, "  vela", Some(vela));
        line(out, "  content", Some(&sha256(content)));
    }
}

fn directory(out: &mut String, git: &VendoredDirectory) {
    let VendoredDirectory { source, repository, reference, commit, path } = git;
    out.push_str("  git:\n");
    line(out, "    source", Some(source));
    line(out, "    repository", Some(repository));
    line(out, "    reference", reference.as_ref());
    line(out, "    commit", Some(commit));
    line(out, "    path", Some(path).filter(|path| !path.is_empty()));
}

fn file(out: &mut String, file: &VendoredFile) {
    let VendoredFile { source, name } = file;
    out.push_str("  file:\n");
    line(out, "    source", Some(source));
    line(out, "    name", Some(name));
}

fn chart(out: &mut String, chart: &VendoredChart) {
    let VendoredChart { used_by, name, release, namespace, repository, request, version, digest, values, helm } = chart;
    out.push_str("  chart:\n");
    line(out, "    usedBy", Some(used_by));
    line(out, "    name", Some(name));
    line(out, "    release", Some(release));
    line(out, "    namespace", namespace.as_ref());
    line(out, "    repository", Some(repository));
    line(out, "    request", request.as_ref());
    line(out, "    version", Some(version));
    line(out, "    digest", Some(&sha256(digest)));
    line(out, "    values", Some(&sha256(values)));
    line(out, "    helm", Some(helm));
}

fn sha256(digest: &tidegate_model::digest::Digest) -> String {
    format!("sha256:{}", digest.as_str())
}

/// Adds a field, if it has a value.
fn line(out: &mut String, key: &str, value: Option<&String>) {
    let Some(value) = value else { return };
    // Writing into a String cannot fail.
    let _: std::fmt::Result = writeln!(out, "{key}: {}", quoted(value));
}

/// Returns a string as a YAML scalar: as it is if every parser reads it as the same string, and otherwise in double quotes.
fn quoted(text: &str) -> String {
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.ends_with(':')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._/:@+=?&".contains(&b))
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&text.to_ascii_lowercase().as_str());
    let is_digest =
        text.len() >= 40 && text.bytes().all(|b| b.is_ascii_hexdigit()) && text.contains(|c| ('a'..='d').contains(&c));
    // A JSON string is a YAML string, except for what `escaped` replaces.
    if is_plain || is_digest { text.to_owned() } else { escaped(text) }
}

/// Returns a string in double quotes, with all characters outside of printable ASCII escaped.
fn escaped(text: &str) -> String {
    let mut out = "\"".to_owned();
    for c in text.chars() {
        let code = u32::from(c);
        let _: std::fmt::Result = match c {
            '"' | '\\' => write!(out, "\\{c}"),
            ' '..='~' => write!(out, "{c}"),
            _ if code <= 0xff => write!(out, "\\x{code:02x}"),
            _ if code <= 0xffff => write!(out, "\\u{code:04x}"),
            _ => write!(out, "\\U{code:08x}"),
        };
    }
    out.push('"');
    out
}

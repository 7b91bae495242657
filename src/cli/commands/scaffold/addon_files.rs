//! The files of an add-on.

use std::collections::BTreeMap;

use super::files;
use super::text::filled;

/// What a new add-on is called, and where it goes.
pub(super) struct NewAddon<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// Its version, which is part of the name of its template.
    pub(super) version: &'a str,
    /// The namespace of its configuration and of its placement.
    pub(super) namespace: &'a str,
    /// The name of its placement.
    pub(super) placement: &'a str,
    /// Returns `true` if the placement has a group with the name `canary`.
    pub(super) has_canary: bool,
}

/// What an add-on deploys.
pub(super) enum Content<'a> {
    /// The items of `manifests`, as text.
    Manifests(&'a str),
    /// The address of a Helm chart.
    Chart(&'a str),
}

/// Returns the files of an add-on by their names.
pub(super) fn addon_files(addon: &NewAddon<'_>, content: &Content<'_>) -> BTreeMap<String, String> {
    let mandatory = if addon.has_canary { files::MANDATORY } else { "" };
    let values = [
        ("ADDON", addon.name),
        ("VERSION", addon.version),
        ("NAMESPACE", addon.namespace),
        ("PLACEMENT", addon.placement),
        ("MANDATORY", mandatory),
    ];
    let template = match content {
        Content::Manifests(manifests) => filled(files::TEMPLATE, &values) + manifests,
        Content::Chart(chart) => filled(files::CHART, &[&values[..], &[("CHART", chart)]].concat()),
    };
    BTreeMap::from([
        ("addon.yaml".to_owned(), filled(files::ADDON, &values)),
        ("config.yaml".to_owned(), filled(files::CONFIG, &values)),
        (format!("template-{}.yaml", addon.version), template),
    ])
}

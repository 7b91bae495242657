//! The files of an add-on.

use std::collections::BTreeMap;

use super::content::Content;
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
    /// The lines of its strategy, with their indentation.
    pub(super) strategy: String,
}

/// Returns the strategy of a new add-on. If its placement has a group with the name `canary`, that goes first.
pub(super) fn first_strategy(has_canary: bool) -> String {
    let mandatory = if has_canary { files::MANDATORY } else { "" };
    filled(files::STRATEGY, &[("MANDATORY", mandatory)])
}

/// Returns the files of an add-on by their names.
pub(super) fn addon_files(addon: &NewAddon<'_>, content: &Content) -> BTreeMap<String, String> {
    let values = [
        ("ADDON", addon.name),
        ("VERSION", addon.version),
        ("NAMESPACE", addon.namespace),
        ("PLACEMENT", addon.placement),
        ("STRATEGY", &addon.strategy),
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

//! The kinds of configuration that an add-on supports.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonprogressing` and `addontemplate` (2026-08-11).

use tidegate_api::key;
use tidegate_api::ocm::config_reference::{ConfigReference, GroupResource};

/// Returns the kinds that an add-on built from a template supports, sorted. Upstream writes them in no fixed order.
pub fn by_templates() -> Vec<GroupResource> {
    [key::ADDON_DEPLOYMENT_CONFIGS, key::ADDON_TEMPLATES]
        .map(|resource| GroupResource { group: key::ADDON_GROUP.to_owned(), resource: resource.to_owned() })
        .to_vec()
}

/// Returns the first of a cluster's own configurations whose kind is not supported.
pub fn first_unsupported<'a>(own: &'a [ConfigReference], supported: &[GroupResource]) -> Option<&'a ConfigReference> {
    let is_supported = |config: &ConfigReference| {
        supported.iter().any(|kind| kind.group == config.group && kind.resource == config.resource)
    };
    own.iter().find(|config| !is_supported(config))
}

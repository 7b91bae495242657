//! The settings of an AddOnDeploymentConfig, prepared for rendering.

use std::collections::BTreeMap;

use regex::Regex;
use serde_json::{Value, json};

use tidegate_api::ocm::addon_deployment_config::{
    AddOnDeploymentConfigSpec, ContainerResourceRequirements, ImageMirror, NodePlacement, ProxyConfig,
};

use crate::error::Error;
use crate::go_object::shape;
use crate::go_object::shape::Shape;

/// Where containers find the certificates for the proxy.
pub(super) const CA_PATH: &str = "/managed/proxy-ca";
/// The key of the certificates in their ConfigMap, and the name of the file.
pub(super) const CA_FILE: &str = "ca-bundle.crt";

/// A setting that a customized variable can displace, since upstream keeps both in one map under reserved names.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Setting<T> {
    /// Not set.
    #[default]
    Unset,
    /// A variable uses the reserved name, and its value is not a valid setting.
    Variable,
    /// The setting.
    Set(T),
}

impl<T> Setting<T> {
    fn new(value: Option<T>, reserved: Option<String>) -> Self {
        match (value, reserved) {
            (Some(value), _) => Self::Set(value),
            (None, Some(_)) => Self::Variable,
            (None, None) => Self::Unset,
        }
    }

    /// Returns the setting, if any.
    ///
    /// # Errors
    /// [`Error::ReservedVariable`] with the name `what`, if a variable has displaced the setting.
    pub(super) fn get(&self, what: &'static str) -> Result<Option<&T>, Error> {
        match self {
            Self::Unset => Ok(None),
            Self::Variable => Err(Error::ReservedVariable(what)),
            Self::Set(value) => Ok(Some(value)),
        }
    }
}

/// Where pods run: a node selector and the tolerations, both as JSON.
#[derive(Debug)]
pub(super) struct Nodes {
    pub(super) selector: Value,
    pub(super) tolerations: Value,
}

/// Resources for the containers whose id matches.
#[derive(Debug)]
pub(super) struct Resources {
    pub(super) container: Regex,
    pub(super) resources: Value,
}

/// Proxy settings.
#[derive(Debug, Default)]
pub(super) struct Proxy {
    /// The environment variables, in their order.
    pub(super) variables: Vec<(&'static str, String)>,
    /// The certificates, which are delivered to the cluster even without a proxy.
    pub(super) ca_bundle: Option<String>,
}

impl Proxy {
    /// Returns `true` if containers get the certificates, which they do only if there is a proxy.
    pub(super) fn is_certified(&self) -> bool {
        self.ca_bundle.is_some() && !self.variables.is_empty()
    }
}

/// The settings of an AddOnDeploymentConfig.
#[derive(Debug, Default)]
pub(super) struct Settings {
    pub(super) variables: BTreeMap<String, String>,
    /// Holds `None` for a node placement without a node selector: upstream then ignores the tolerations too.
    pub(super) nodes: Setting<Option<Nodes>>,
    pub(super) registries: Setting<Vec<ImageMirror>>,
    pub(super) install_namespace: Option<String>,
    pub(super) proxy: Proxy,
    pub(super) resources: Setting<Vec<Resources>>,
}

impl Settings {
    /// Reads a configuration; `None` means that the add-on has none.
    ///
    /// # Errors
    /// [`Error::ContainerId`] if resources are given for something that is not `<resource>:<name>:<container>`.
    pub(super) fn read(config: Option<&AddOnDeploymentConfigSpec>) -> Result<Self, Error> {
        let Some(config) = config else { return Ok(Self::default()) };
        let variables = config.customized_variables.iter().map(|v| (v.name.clone(), v.value.clone()));
        let mut variables: BTreeMap<String, String> = variables.collect();
        let mut reserved = |name: &str| variables.remove(name);
        let namespace = reserved("__INSTALL_NAMESPACE");
        let given_namespace = config.agent_install_namespace.clone().filter(|namespace| !namespace.is_empty());
        reserved("__PROXY");
        let resources = config.resource_requirements.as_deref().map(resources).transpose()?;
        Ok(Self {
            nodes: Setting::new(config.node_placement.as_ref().map(nodes), reserved("__NODE_PLACEMENT")),
            registries: Setting::new(config.registries.clone(), reserved("__REGISTRIES")),
            install_namespace: given_namespace.or(namespace).filter(|namespace| !namespace.is_empty()),
            proxy: config.proxy_config.as_ref().map(proxy).unwrap_or_default(),
            resources: Setting::new(resources, reserved("__RESOURCE_REQUIREMENTS")),
            variables,
        })
    }
}

fn nodes(placement: &NodePlacement) -> Option<Nodes> {
    let selector = placement.node_selector.as_ref()?;
    Some(Nodes { selector: json!(selector), tolerations: conformed(json!(placement.tolerations), &shape::TOLERATIONS) })
}

fn resources(list: &[ContainerResourceRequirements]) -> Result<Vec<Resources>, Error> {
    let mut all = Vec::new();
    for entry in list {
        let parts: Vec<&str> = entry.container_id.split(':').collect();
        if parts.len() != 3 {
            return Err(Error::ContainerId(entry.container_id.clone()));
        }
        let parts: Vec<&str> = parts.into_iter().map(|part| if part == "*" { ".+" } else { part }).collect();
        // Upstream uses the parts as regular expressions, without escaping; one that does not compile matches nothing.
        if let Ok(container) = Regex::new(&format!("^{}$", parts.join(":"))) {
            all.push(Resources { container, resources: conformed(json!(entry.resources), &shape::RESOURCES) });
        }
    }
    Ok(all)
}

fn proxy(config: &ProxyConfig) -> Proxy {
    let variables = [
        ("HTTP_PROXY", &config.http),
        ("http_proxy", &config.http),
        ("HTTPS_PROXY", &config.https),
        ("https_proxy", &config.https),
        ("NO_PROXY", &config.no_proxy),
        ("no_proxy", &config.no_proxy),
    ];
    let bundle = config.ca_bundle.as_ref().filter(|bundle| !bundle.0.is_empty());
    let mut proxy = Proxy {
        variables: variables.into_iter().filter(|(_, v)| !v.is_empty()).map(|(name, v)| (name, v.clone())).collect(),
        ca_bundle: bundle.map(|bundle| go_text(&bundle.0)),
    };
    if proxy.is_certified() {
        proxy.variables.push(("CA_BUNDLE_FILE_PATH", format!("{CA_PATH}/{CA_FILE}")));
    }
    proxy
}

/// Decodes bytes as Go writes them to JSON: each byte that is not part of a valid character becomes U+FFFD.
fn go_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}

/// Normalizes typed values as Go does. A value that Go could not read is left unchanged, for the hub to refuse.
fn conformed(value: Value, shape: &Shape) -> Value {
    let mut respelled = value.clone();
    match shape.conform(&mut respelled) {
        Ok(()) => respelled,
        Err(_) => value,
    }
}

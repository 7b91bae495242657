//! An AddOnTemplate made ready for its clusters, and rendered for one.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::api::key;
use crate::api::ocm::addon_deployment_config::{AddOnDeploymentConfigSpec, ImageMirror};
use crate::api::ocm::managed_cluster::ManagedCluster;
use crate::api::ocm::manifest_work::{ManifestConfigOption, ResourceIdentifier};
use crate::model::name::AddonName;

use super::error::Error;
use super::object::text;
use super::pod::{CA_FILE, Pod, Volumes, ca_config_map};
use super::settings::{Setting, Settings};
use super::text::{CLUSTER_NAME, Text};
use super::workload::{self, Kind};
use super::{hook, image, namespace};

const HUB_KUBECONFIG: &str = "HUB_KUBECONFIG";
const HUB_KUBECONFIG_PATH: &str = "/managed/hub-kubeconfig/kubeconfig";
const INSTALL_NAMESPACE: &str = "INSTALL_NAMESPACE";

/// What is to be rendered, for one cluster.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The add-on.
    pub addon: &'a AddonName,
    /// The AddOnTemplate, whole and as it was read: its manifests are templates in text.
    pub template: &'a Value,
    /// The AddOnDeploymentConfig, if the add-on has one on the cluster.
    pub config: Option<&'a AddOnDeploymentConfigSpec>,
    /// The cluster.
    pub cluster: &'a ManagedCluster,
}

/// What an add-on is on one cluster.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rendered {
    /// The objects to be deployed, in the order of the template.
    pub deploy: Vec<Value>,
    /// The Jobs and Pods that run before the add-on is deleted, in the order of the template.
    pub hooks: Vec<Value>,
    /// The Deployments and DaemonSets among the objects.
    pub workloads: Vec<ResourceIdentifier>,
    /// Those of [`Rendered::workloads`] whose status tells how the add-on is: not a Deployment without replicas.
    pub probes: Vec<ResourceIdentifier>,
}

/// Renders a template for one cluster.
///
/// For many clusters with the same template and configuration, [`Template::prepare`] once is many times faster.
///
/// # Errors
/// Those of [`Template::prepare`] and [`Template::render`].
pub fn render(subject: &Subject<'_>) -> Result<Rendered, Error> {
    Template::prepare(subject.addon, subject.template, subject.config)?.render(subject.cluster)
}

/// An AddOnTemplate and an AddOnDeploymentConfig, with everything done that is the same for all clusters.
///
/// # Source
/// OCM `pkg/addon/templateagent`.
#[derive(Debug)]
pub struct Template {
    addon: AddonName,
    manifests: Vec<Manifest>,
    /// Where the agent finds the credentials for the hub; `None` for a template without registrations.
    hub_kubeconfig: Option<String>,
    settings: Settings,
    /// `None` if a registration lacks its signer, which is an error only for a template with workloads.
    credentials: Option<Volumes>,
    manifest_configs: Vec<ManifestConfigOption>,
}

/// What differs from cluster to cluster.
struct Site<'a> {
    name: &'a str,
    /// The registries that the cluster names; `None` also where the configuration says something of registries.
    registries: Option<Vec<ImageMirror>>,
}

#[derive(Debug)]
enum Manifest {
    /// The same text for all clusters.
    Settled(Object),
    /// A text that names the cluster.
    PerCluster(Text),
}

/// An object out of the template, before it is adapted to a cluster; a workload is in shape.
#[derive(Debug, Clone)]
struct Object {
    value: Value,
    workload: Option<Kind>,
}

impl Object {
    fn read(json: &str, manifest: usize) -> Result<Self, Error> {
        let parsed = || serde_json::from_str::<Value>(json).map_err(|source| Error::Syntax { manifest, source });
        let mut value = parsed()?;
        if text(&value, "/kind").is_empty() {
            return Err(Error::NoKind { manifest });
        }
        match workload::kind(&value) {
            Some(kind) if kind.conform(&mut value).is_ok() => Ok(Self { value, workload: Some(kind) }),
            // What cannot be read as a workload is delivered as it is; the attempt has left it half converted.
            Some(_) => Ok(Self { value: parsed()?, workload: None }),
            None => Ok(Self { value, workload: None }),
        }
    }
}

/// Returns the manifests of a template as they are written there.
pub(super) fn raw_manifests(template: &Value) -> &[Value] {
    let manifests = template.pointer("/spec/agentSpec/workload/manifests").and_then(Value::as_array);
    manifests.map_or(&[], Vec::as_slice)
}

impl Template {
    /// Prepares a template with a configuration.
    ///
    /// # Errors
    /// Anything that is wrong for every cluster: an unclosed tag, a manifest that is no object, a containerID that is none,
    /// `manifestConfigs` that cannot be read.
    pub fn prepare(
        addon: &AddonName,
        template: &Value,
        config: Option<&AddOnDeploymentConfigSpec>,
    ) -> Result<Self, Error> {
        let mut settings = Settings::read(config)?;
        let registrations = template.pointer("/spec/registration").filter(|registration| !registration.is_null());
        let defaults = registrations.map(|_| (HUB_KUBECONFIG.to_owned(), HUB_KUBECONFIG_PATH.to_owned()));
        let mut values: BTreeMap<String, String> = defaults.into_iter().collect();
        values.append(&mut settings.variables);
        values.extend(settings.install_namespace.clone().map(|namespace| (INSTALL_NAMESPACE.to_owned(), namespace)));

        let mut manifests = Vec::new();
        for (manifest, raw) in raw_manifests(template).iter().enumerate() {
            let text = Text::read(&raw.to_string(), &values).ok_or(Error::UnclosedTag { manifest })?;
            manifests.push(match text.settled() {
                Some(json) => Manifest::Settled(Object::read(json, manifest)?),
                None => Manifest::PerCluster(text),
            });
        }
        let entries = registrations.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        Ok(Self {
            addon: addon.clone(),
            manifests,
            hub_kubeconfig: registrations.and_then(|_| values.remove(HUB_KUBECONFIG)),
            settings,
            credentials: Volumes::of_registrations(addon.as_str(), entries),
            manifest_configs: manifest_configs(template)?,
        })
    }

    /// Returns the `manifestConfigs` of the template.
    pub fn manifest_configs(&self) -> &[ManifestConfigOption] {
        &self.manifest_configs
    }

    /// Renders the template for one cluster.
    ///
    /// # Errors
    /// [`Error::Syntax`] or [`Error::NoKind`] for a manifest that the name of the cluster breaks, [`Error::ImageRegistries`]
    /// for its annotation; [`Error::ReservedVariable`], [`Error::NoCustomSigner`] and [`Error::NoField`] for an object that
    /// cannot be adapted.
    pub fn render(&self, cluster: &ManagedCluster) -> Result<Rendered, Error> {
        let is_unset = self.settings.registries == Setting::Unset;
        // An annotation that cannot be read is an error even where the configuration overrides it.
        let registries = image::registries_of(cluster)?.filter(|_| is_unset);
        let site = Site { name: cluster.metadata.name.as_deref().unwrap_or(""), registries };
        let mut rendered = Rendered::default();
        for (manifest, prepared) in self.manifests.iter().enumerate() {
            let object = match prepared {
                Manifest::Settled(object) => object.clone(),
                Manifest::PerCluster(text) => Object::read(&text.filled(site.name), manifest)?,
            };
            let Object { mut value, workload } = object;
            if let Some(kind) = workload {
                self.decorate(&mut value, kind, &site)?;
            }
            self.finish(value, workload, &mut rendered)?;
        }
        if let Some(bundle) = &self.settings.proxy.ca_bundle {
            self.finish(self.proxy_certificates(bundle), None, &mut rendered)?;
        }
        Ok(rendered)
    }

    /// Adapts a workload. The order matters: it is that of the lists that come out, and of the errors.
    fn decorate(&self, workload: &mut Value, kind: Kind, site: &Site<'_>) -> Result<(), Error> {
        let id = format!("{}:{}", kind.resource(), text(workload, "/metadata/name"));
        let Some(mut pod) = Pod::of(workload) else { return Ok(()) };
        pod.add_variables(&self.preset(site.name));
        pod.add_volumes(self.credentials.as_ref().ok_or(Error::NoCustomSigner)?);
        if let Some(Some(nodes)) = self.settings.nodes.get("node placement")? {
            pod.place(nodes);
        }
        if let Some(mirrors) = site.registries.as_ref().or(self.settings.registries.get("registries")?) {
            pod.override_images(mirrors);
        }
        pod.use_proxy(self.addon.as_str(), &self.settings.proxy);
        if let Some(resources) = self.settings.resources.get("resource requirements")? {
            pod.limit(&id, resources);
        }
        Ok(())
    }

    /// The variables that every container gets, in their order.
    fn preset<'a>(&'a self, cluster: &'a str) -> Vec<(&'static str, &'a str)> {
        let namespace = self.settings.install_namespace.as_deref().map(|namespace| (INSTALL_NAMESPACE, namespace));
        let kubeconfig = self.hub_kubeconfig.as_deref().map(|path| (HUB_KUBECONFIG, path));
        kubeconfig.into_iter().chain([(CLUSTER_NAME, cluster)]).chain(namespace).collect()
    }

    fn proxy_certificates(&self, bundle: &str) -> Value {
        json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": ca_config_map(self.addon.as_str()), "namespace": key::DEFAULT_INSTALL_NAMESPACE},
            "data": {CA_FILE: bundle},
        })
    }

    fn finish(&self, mut object: Value, workload: Option<Kind>, rendered: &mut Rendered) -> Result<(), Error> {
        if let Some(namespace) = &self.settings.install_namespace {
            namespace::set(&mut object, namespace)?;
        }
        if let Some(kind) = workload {
            let identifier = workload::identifier(kind, &object);
            if workload::is_probed(kind, &object) {
                rendered.probes.push(identifier.clone());
            }
            rendered.workloads.push(identifier);
        }
        let target = if hook::is_hook(&object) { &mut rendered.hooks } else { &mut rendered.deploy };
        target.push(object);
        Ok(())
    }
}

fn manifest_configs(template: &Value) -> Result<Vec<ManifestConfigOption>, Error> {
    match template.pointer("/spec/agentSpec/manifestConfigs").filter(|configs| !configs.is_null()) {
        None => Ok(Vec::new()),
        Some(configs) => serde_json::from_value(configs.clone()).map_err(|source| Error::ManifestConfigs { source }),
    }
}

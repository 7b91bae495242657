//! An AddOnTemplate, prepared once and rendered for each cluster.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize as _;
use serde_json::{Value, json};

use tidegate_api::key;
use tidegate_api::ocm::addon_deployment_config::{AddOnDeploymentConfigSpec, ImageMirror};
use tidegate_api::ocm::addon_template::TemplateRegistration;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::manifest_work::ManifestConfigOption;
use tidegate_api::variable::{self, CLUSTER_NAME, HUB_KUBECONFIG, INSTALL_NAMESPACE};
use tidegate_model::name::{AddonName, UnitName};

use super::manifest::Manifest;
use super::order::Order;
use super::pod;
use super::pod::{Pod, Volumes, ca_config_map};
use super::rendered::Rendered;
use super::settings::{CA_FILE, Setting, Settings};
use super::text::Text;
use super::workload::Kind;
use super::{image, namespace, workload};
use crate::condition::ready_when::Conditioned;
use crate::error::Error;
use crate::go_object::unstructured::{at, raw_manifests, text};

const HUB_KUBECONFIG_PATH: &str = "/managed/hub-kubeconfig/kubeconfig";

/// The input for rendering a template for one cluster.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The add-on.
    pub addon: &'a AddonName,
    /// The whole AddOnTemplate as it was read. Its manifests contain variables.
    pub template: &'a Value,
    /// The AddOnDeploymentConfig, if the add-on has one on the cluster.
    pub config: Option<&'a AddOnDeploymentConfigSpec>,
    /// The cluster.
    pub cluster: &'a ManagedCluster,
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

/// An AddOnTemplate and an AddOnDeploymentConfig, prepared as far as the result is the same for all clusters.
///
/// # Source
/// OCM `pkg/addon/templateagent`.
#[derive(Debug, Default)]
pub struct Template {
    manifests: Vec<Manifest>,
    /// The first variable of the manifests that has no value.
    unset: Option<Unset>,
    settings: Settings,
    /// Where the agent finds the credentials for the hub; `None` for a template without registrations.
    hub_kubeconfig: Option<String>,
    /// `None` if a registration has no signer, which is an error only for a template with workloads.
    volumes: Option<Volumes>,
    /// An object that is delivered in addition to the manifests.
    additional: Option<Arc<Value>>,
    manifest_configs: Vec<ManifestConfigOption>,
    registration_namespace: String,
    registrations: Vec<TemplateRegistration>,
    order: Order,
}

/// A variable without a value.
#[derive(Debug)]
struct Unset {
    variable: String,
    template: String,
    object: String,
}

/// The inputs that differ between clusters.
struct Site<'a> {
    /// The variables that every container gets, in their order.
    variables: Vec<Value>,
    /// The registries that images are taken from.
    mirrors: Option<&'a [ImageMirror]>,
}

fn registrations(template: &Value) -> Option<&Value> {
    at(template, ["spec", "registration"]).filter(|registration| !registration.is_null())
}

/// Returns the values of all variables except for the cluster name. The variables of the settings are moved.
pub(super) fn values(template: &Value, settings: &mut Settings) -> BTreeMap<String, String> {
    let defaults = registrations(template).map(|_| (HUB_KUBECONFIG.to_owned(), HUB_KUBECONFIG_PATH.to_owned()));
    let mut values: BTreeMap<String, String> = defaults.into_iter().collect();
    values.append(&mut settings.variables);
    let install_namespace = settings.install_namespace.as_ref();
    values.extend(install_namespace.map(|namespace| (INSTALL_NAMESPACE.to_owned(), namespace.clone())));
    values
}

impl Template {
    /// Prepares a template with a configuration.
    ///
    /// Errors in its manifests are reported when they are rendered.
    ///
    /// # Errors
    /// [`Error::ContainerId`] and [`Error::ManifestConfigs`].
    pub fn prepare(
        addon: &AddonName,
        template: &Value,
        config: Option<&AddOnDeploymentConfigSpec>,
    ) -> Result<Self, Error> {
        let mut settings = Settings::read(config)?;
        let registrations = registrations(template);
        let values = values(template, &mut settings);
        let install_namespace = settings.install_namespace.as_deref();

        let prepared = |raw: &Value| {
            Text::read(&raw.to_string(), &values)
                .map_or(Manifest::Unclosed, |text| Manifest::prepare(text, install_namespace))
        };
        let manifests = raw_manifests(template).iter().map(prepared).collect();
        let unset = unset(template, &values);
        let volumes = Volumes::of_registrations(addon.as_str(), entries(template));
        let bundle = settings.proxy.ca_bundle.as_deref();
        Ok(Self {
            manifests,
            unset,
            hub_kubeconfig: registrations.and_then(|_| values.get(HUB_KUBECONFIG).cloned()),
            volumes: volumes.map(|volumes| volumes.and(Volumes::of_proxy(addon.as_str(), &settings.proxy))),
            additional: bundle.map(|bundle| proxy_certificates(addon, bundle, install_namespace)).map(Arc::new),
            manifest_configs: manifest_configs(template)?,
            registration_namespace: namespace::registration_namespace(template, config),
            registrations: registrations_of(template),
            settings,
            order: Order::default(),
        })
    }

    /// Prepares what the objects of a unit are rendered from: the template of an add-on, or the content of an application.
    ///
    /// # Errors
    /// Those of [`Template::prepare`] and [`Template::plain`].
    pub fn of_unit(
        unit: &UnitName,
        content: &Value,
        config: Option<&AddOnDeploymentConfigSpec>,
    ) -> Result<Self, Error> {
        match unit {
            UnitName::AddOn(addon) => Self::prepare(addon, content, config),
            UnitName::Application(_) => Self::plain(content),
        }
    }

    /// Returns a template of objects that every cluster gets as they are: there are no variables, and nothing is added to workloads.
    ///
    /// # Errors
    /// [`Error::ManifestConfigs`] and [`Error::ReadyWhen`].
    pub fn plain(template: &Value) -> Result<Self, Error> {
        let done = |object: &Value| {
            let refused = |unjudged| {
                let object = format!("{} {}", text(object, ["kind"]), text(object, ["metadata", "name"]));
                Error::ReadyWhen { object, unjudged }
            };
            let conditioned = Conditioned::read(object).map_err(refused)?;
            Ok(Manifest::Done(Arc::new(object.clone()), workload::of_application(object), conditioned))
        };
        Ok(Self {
            manifests: raw_manifests(template).iter().map(done).collect::<Result<_, Error>>()?,
            manifest_configs: manifest_configs(template)?,
            order: Order::read(template),
            ..Self::default()
        })
    }

    /// Returns the `manifestConfigs` of the template.
    pub fn manifest_configs(&self) -> &[ManifestConfigOption] {
        &self.manifest_configs
    }

    /// Returns the result of [`registration_namespace`](namespace::registration_namespace) for the template.
    pub fn registration_namespace(&self) -> &str {
        &self.registration_namespace
    }

    /// Returns how the agent of the template registers on the hub.
    pub fn registrations(&self) -> &[TemplateRegistration] {
        &self.registrations
    }

    /// Returns the order in which a cluster gets the objects. That of an add-on has one phase.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// Refuses a template that uses a variable without a value, for strict semantics. [`Template::render`] replaces such a
    /// variable with an empty string, as upstream does. A variable that is set to an empty string has a value.
    ///
    /// # Errors
    /// [`Error::UnsetVariable`] for the first such variable.
    pub fn require_variables(&self) -> Result<(), Error> {
        let Some(Unset { variable, template, object }) = &self.unset else { return Ok(()) };
        let (variable, template, object) = (variable.clone(), template.clone(), object.clone());
        Err(Error::UnsetVariable { variable, template, object })
    }

    /// Renders the template for one cluster.
    ///
    /// # Errors
    /// [`Error::ImageRegistries`] for an annotation of the cluster; otherwise the error of the first manifest that has one:
    /// [`Error::UnclosedTag`], [`Error::Syntax`] or [`Error::NoKind`] if it cannot be read, and [`Error::ReservedVariable`],
    /// [`Error::NoCustomSigner`] or [`Error::NoField`] if it cannot be adapted.
    pub fn render(&self, cluster: &ManagedCluster) -> Result<Rendered, Error> {
        // An unreadable annotation is an error even if the configuration overrides it.
        let annotated = image::registries_of(cluster)?;
        let name = cluster.metadata.name.as_deref().unwrap_or("");
        let mirrors = annotated.as_deref().filter(|_| self.settings.registries == Setting::Unset);
        let site = Site { variables: self.variables(name), mirrors };
        let mut rendered = Rendered::default();
        for (position, manifest) in self.manifests.iter().enumerate() {
            if let Manifest::Done(object, workload, conditioned) = manifest {
                rendered.push(object.clone(), *workload);
                rendered.conditioned.extend(conditioned.clone());
                continue;
            }
            let mut object = manifest.object(name, position)?;
            if let Some(kind) = object.workload {
                self.decorate(&mut object.value, kind, &site)?;
            }
            if let Some(namespace) = &self.settings.install_namespace {
                namespace::set(&mut object.value, namespace)?;
            }
            rendered.push(Arc::new(object.value), object.workload);
        }
        rendered.objects.extend(self.additional.clone());
        Ok(rendered)
    }

    /// Adapts a workload. The order of the steps matters: it decides which error is reported.
    fn decorate(&self, workload: &mut Value, kind: Kind, site: &Site<'_>) -> Result<(), Error> {
        let volumes = self.volumes.as_ref().ok_or(Error::NoCustomSigner)?;
        let nodes = self.settings.nodes.get("node placement")?;
        let registries = self.settings.registries.get("registries")?;
        let resources = self.settings.resources.get("resource requirements")?;
        let id = resources.map(|_| format!("{}:{}", kind.resource(), text(workload, ["metadata", "name"])));
        let Some(mut pod) = Pod::of(workload) else { return Ok(()) };
        pod.add_variables(&site.variables);
        pod.add_volumes(volumes);
        if let Some(Some(nodes)) = nodes {
            pod.place(nodes);
        }
        if let Some(mirrors) = site.mirrors.or(registries.map(Vec::as_slice)) {
            pod.override_images(mirrors);
        }
        if let (Some(id), Some(resources)) = (id, resources) {
            pod.limit(&id, resources);
        }
        Ok(())
    }

    /// Returns the variables that every container of a cluster gets.
    fn variables(&self, cluster: &str) -> Vec<Value> {
        let preset = [
            (HUB_KUBECONFIG, self.hub_kubeconfig.as_deref()),
            (CLUSTER_NAME, Some(cluster)),
            (INSTALL_NAMESPACE, self.settings.install_namespace.as_deref()),
        ];
        let preset = preset.into_iter().filter_map(|(name, value)| Some(pod::variable(name, value?)));
        preset.chain(self.settings.proxy.variables.iter().map(|(name, value)| pod::variable(name, value))).collect()
    }
}

/// Returns how the agent of a template registers on the hub. An entry that is not a registration is skipped, like one of an unknown type.
pub fn registrations_of(template: &Value) -> Vec<TemplateRegistration> {
    entries(template).iter().filter_map(|entry| TemplateRegistration::deserialize(entry).ok()).collect()
}

fn entries(template: &Value) -> &[Value] {
    at(template, ["spec", "registration"]).and_then(Value::as_array).map_or(&[][..], Vec::as_slice)
}

/// Finds the first variable of a template without a value. The name of the cluster always has a value.
fn unset(template: &Value, values: &BTreeMap<String, String>) -> Option<Unset> {
    let is_set = |name: &str| name == CLUSTER_NAME || values.contains_key(name);
    raw_manifests(template).iter().find_map(|manifest| {
        let raw = manifest.to_string();
        let variable = variable::used(&raw).find(|name| !is_set(name))?.to_owned();
        let object = format!("{} {}", text(manifest, ["kind"]), text(manifest, ["metadata", "name"]));
        Some(Unset { variable, template: text(template, ["metadata", "name"]).to_owned(), object })
    })
}

/// Returns the ConfigMap with the certificates of the proxy.
fn proxy_certificates(addon: &AddonName, bundle: &str, install_namespace: Option<&str>) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {
            "name": ca_config_map(addon.as_str()),
            "namespace": install_namespace.unwrap_or(key::DEFAULT_INSTALL_NAMESPACE),
        },
        "data": {CA_FILE: bundle},
    })
}

fn manifest_configs(template: &Value) -> Result<Vec<ManifestConfigOption>, Error> {
    match at(template, ["spec", "agentSpec", "manifestConfigs"]).filter(|configs| !configs.is_null()) {
        None => Ok(Vec::new()),
        Some(configs) => serde_json::from_value(configs.clone()).map_err(|source| Error::ManifestConfigs { source }),
    }
}

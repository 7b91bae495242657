//! Additions to an add-on's pods beyond the template: environment, credentials, nodes, images, proxy and resources.
//!
//! Applies to workloads that were converted to their shape, and only to their containers. Init containers are left alone, as in
//! upstream.

use serde_json::{Map, Value, json};

use tidegate_api::ocm::addon_deployment_config::ImageMirror;

use super::image;
use super::settings::{CA_PATH, Nodes, Proxy, Resources};

/// The volume of certificates for the proxy.
const CA_VOLUME: &str = "proxy-ca-bundle";

/// Volumes, and the mounts that every container gets for them.
#[derive(Debug, Default)]
pub(super) struct Volumes {
    volumes: Vec<Value>,
    mounts: Vec<Value>,
}

impl Volumes {
    fn push(&mut self, name: &str, path: &str, source: (&str, Value)) {
        let (kind, source) = source;
        self.volumes.push(json!({"name": name, kind: source}));
        self.mounts.push(json!({"name": name, "mountPath": path}));
    }

    /// Returns the volumes with the credentials that the registrations of a template ask for, in their order; `None` if a
    /// registration of type CustomSigner has no signer.
    pub(super) fn of_registrations(addon: &str, registrations: &[Value]) -> Option<Self> {
        let mut all = Self::default();
        for registration in registrations {
            match registration.get("type").and_then(Value::as_str) {
                Some("KubeClient") => {
                    let secret = json!({"secretName": format!("{addon}-hub-kubeconfig")});
                    all.push("hub-kubeconfig", "/managed/hub-kubeconfig", ("secret", secret));
                }
                Some("CustomSigner") => {
                    let signer = registration.get("customSigner").filter(|signer| !signer.is_null())?;
                    let file = signer.get("signerName").and_then(Value::as_str).unwrap_or("").replace('/', "-");
                    let secret = json!({"secretName": format!("{addon}-{file}-client-cert")});
                    let name = format!("cert-{}", file.replace('.', "-"));
                    all.push(&name, &format!("/managed/{file}"), ("secret", secret));
                }
                _ => {}
            }
        }
        Some(all)
    }

    /// Returns the volume with the certificates of the proxy, if there is a proxy.
    pub(super) fn of_proxy(addon: &str, proxy: &Proxy) -> Self {
        let mut all = Self::default();
        if proxy.is_certified() {
            all.push(CA_VOLUME, CA_PATH, ("configMap", json!({"name": ca_config_map(addon)})));
        }
        all
    }

    /// Appends other volumes.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.volumes.extend(other.volumes);
        self.mounts.extend(other.mounts);
        self
    }
}

/// Returns the name of the ConfigMap with the certificates of the proxy.
pub(super) fn ca_config_map(addon: &str) -> String {
    format!("{addon}-proxy-ca")
}

/// The pod of a converted workload, as JSON.
pub(super) struct Pod<'a>(&'a mut Map<String, Value>);

impl<'a> Pod<'a> {
    /// Returns the pod of a workload.
    pub(super) fn of(workload: &'a mut Value) -> Option<Self> {
        workload.pointer_mut("/spec/template/spec")?.as_object_mut().map(Self)
    }

    fn containers(&mut self) -> impl Iterator<Item = &mut Map<String, Value>> {
        let containers = self.0.get_mut("containers").and_then(Value::as_array_mut);
        containers.into_iter().flatten().filter_map(Value::as_object_mut)
    }

    /// Appends environment variables to each container, without replacing existing ones.
    pub(super) fn add_variables(&mut self, variables: &[Value]) {
        self.containers().for_each(|container| append(container, "env", variables));
    }

    /// Appends volumes, and their mounts to each container.
    pub(super) fn add_volumes(&mut self, volumes: &Volumes) {
        self.containers().for_each(|container| append(container, "volumeMounts", &volumes.mounts));
        append(self.0, "volumes", &volumes.volumes);
    }

    /// Replaces node selector and tolerations.
    pub(super) fn place(&mut self, nodes: &Nodes) {
        for (member, value) in [("nodeSelector", &nodes.selector), ("tolerations", &nodes.tolerations)] {
            let is_empty = value.as_object().is_none_or(Map::is_empty) && value.as_array().is_none_or(Vec::is_empty);
            match is_empty {
                true => self.0.remove(member),
                false => self.0.insert(member.to_owned(), value.clone()),
            };
        }
    }

    /// Replaces the registries of the images.
    pub(super) fn override_images(&mut self, mirrors: &[ImageMirror]) {
        for container in self.containers() {
            let image = container.get("image").and_then(Value::as_str).unwrap_or("");
            match image::overridden(image, mirrors) {
                image if image.is_empty() => container.remove("image"),
                image => container.insert("image".to_owned(), Value::from(image)),
            };
        }
    }

    /// Replaces the resources of the containers; `workload` is `<resource>:<name>`. The last entry that matches wins.
    pub(super) fn limit(&mut self, workload: &str, resources: &[Resources]) {
        for container in self.containers() {
            let id = format!("{workload}:{}", container.get("name").and_then(Value::as_str).unwrap_or(""));
            if let Some(entry) = resources.iter().rev().find(|entry| entry.container.is_match(&id)) {
                container.insert("resources".to_owned(), entry.resources.clone());
            }
        }
    }
}

/// Returns an environment variable in the form used by containers.
pub(super) fn variable(name: &str, value: &str) -> Value {
    if value.is_empty() { json!({"name": name}) } else { json!({"name": name, "value": value}) }
}

fn append(members: &mut Map<String, Value>, member: &str, items: &[Value]) {
    if items.is_empty() {
        return;
    }
    match members.entry(member).or_insert_with(|| Value::Array(Vec::new())) {
        Value::Array(list) => list.extend_from_slice(items),
        other => *other = Value::Array(items.to_vec()),
    }
}

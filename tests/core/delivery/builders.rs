//! Builders for small objects to deliver.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use tidegate_api::ocm::addon_deployment_config::AddOnDeploymentConfigSpec;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::manifest_work::{ManifestConfigOption, ManifestWork};
use tidegate_delivery::{BUDGET, Error, Hosting, Layout, Rendered, Subject, WorkOwner, Works, render, works};
use tidegate_model::name::{AddonName, ClusterName};
use tidegate_model::semantics::{Rules, Semantics, SoakDip};

/// Returns the feedback rule that strict adds for a Deployment, beyond the well-known values.
pub(super) fn evidence_rule() -> Value {
    let path = |name: &str, path: &str| json!({"name": name, "path": path});
    json!({"type": "JSONPaths", "jsonPaths": [
        path("TidegateGeneration", ".metadata.generation"),
        path("TidegateObservedGeneration", ".status.observedGeneration"),
        path("TidegateDesiredReplicas", ".spec.replicas"),
        path("TidegateUpdatedReplicas", ".status.updatedReplicas"),
    ]})
}

pub(super) fn hello() -> AddonName {
    "hello".parse().unwrap()
}

pub(super) fn cluster1() -> ManagedCluster {
    cluster(json!({"name": "cluster1"}), json!({}))
}

pub(super) fn cluster(metadata: Value, status: Value) -> ManagedCluster {
    serde_json::from_value(json!({"metadata": metadata, "spec": {}, "status": status})).unwrap()
}

pub(super) fn template(manifests: Value, registration: Value) -> Value {
    json!({
        "apiVersion": "addon.open-cluster-management.io/v1alpha1",
        "kind": "AddOnTemplate",
        "metadata": {"name": "hello-1"},
        "spec": {"addonName": "hello", "agentSpec": {"workload": {"manifests": manifests}}, "registration": registration},
    })
}

pub(super) fn config(spec: Value) -> AddOnDeploymentConfigSpec {
    serde_json::from_value(spec).unwrap()
}

/// Renders manifests of a template without registrations for `cluster1`.
pub(super) fn rendered(manifests: Value, spec: Value) -> Result<Rendered, Error> {
    let (addon, template, config) = (hello(), template(manifests, Value::Null), config(spec));
    render(&Subject { addon: &addon, template: &template, config: Some(&config), cluster: &cluster1() })
}

pub(super) fn deployment(containers: Value) -> Value {
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "d", "namespace": "n"},
        "spec": {
            "selector": {"matchLabels": {"a": "b"}},
            "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": containers}},
        },
    })
}

pub(super) fn config_map(name: &str, payload: usize) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": "n"},
        "data": {"d": "x".repeat(payload)},
    })
}

pub(super) fn deploying(objects: Vec<Value>) -> Rendered {
    objects.into_iter().collect()
}

pub(super) fn objects(rendered: &Rendered) -> Vec<Value> {
    rendered.objects.iter().map(|object| (**object).clone()).collect()
}

pub(super) type Existing = BTreeMap<String, Arc<ManifestWork>>;

/// The parts of a layout, except for the rendered objects.
pub(super) struct Setting {
    pub(super) owner: WorkOwner,
    pub(super) cluster: ClusterName,
    pub(super) host: Option<ClusterName>,
    pub(super) config_hashes: Option<&'static str>,
    pub(super) template_configs: Vec<ManifestConfigOption>,
    pub(super) existing: Existing,
    pub(super) budget: usize,
    pub(super) semantics: Semantics,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            owner: WorkOwner::addon(&hello()),
            cluster: "cluster1".parse().unwrap(),
            host: None,
            config_hashes: None,
            template_configs: Vec::new(),
            existing: Existing::new(),
            budget: BUDGET,
            semantics: Semantics::Strict,
        }
    }
}

impl Setting {
    pub(super) fn layout<'a>(&'a self, rendered: &'a Rendered) -> Layout<'a> {
        Layout {
            owner: &self.owner,
            owner_uid: "uid-1",
            cluster: &self.cluster,
            hosting: self.host.as_ref().map_or(Hosting::Unsupported, Hosting::Hosting),
            rendered,
            config_hashes: self.config_hashes,
            template_configs: &self.template_configs,
            existing: &self.existing,
            others: &[],
            budget: self.budget,
            rules: Rules::of(self.semantics, SoakDip::default()),
        }
    }

    pub(super) fn works(&self, rendered: &Rendered) -> Works {
        works(&self.layout(rendered)).unwrap()
    }

    /// Adds the wanted works to the hub as existing works.
    pub(super) fn holding(mut self, works: &Works) -> Self {
        self.existing = works.apply.iter().map(|work| existing(work.object())).collect();
        self
    }
}

/// Returns a work as the hub holds it, with the identity and the defaults that an API server fills in.
pub(super) fn existing(mut work: Value) -> (String, Arc<ManifestWork>) {
    let name = work["metadata"]["name"].as_str().unwrap().to_owned();
    work["metadata"]["uid"] = json!(format!("uid-of-{name}"));
    work["metadata"]["resourceVersion"] = json!("7");
    work["metadata"]["generation"] = json!(1);
    for config in work["spec"].get_mut("manifestConfigs").and_then(Value::as_array_mut).into_iter().flatten() {
        config.as_object_mut().unwrap().entry("feedbackScrapeType").or_insert(json!("Poll"));
    }
    (name, Arc::new(serde_json::from_value(work).unwrap()))
}

/// Returns the names of works with the names of their manifests.
pub(super) fn contents(works: &Works) -> Vec<(&str, Vec<&str>)> {
    works
        .apply
        .iter()
        .map(|work| {
            let names = work.manifests.iter().map(|manifest| manifest["metadata"]["name"].as_str().unwrap());
            (work.name.as_str(), names.collect())
        })
        .collect()
}

//! Measures rendering and layout for a fleet: one template of twenty manifests, with variables, node placement, image registries
//! and a proxy.
//!
//! Run `cargo bench --bench render` on one core. The argument of a row is the number of clusters, and its time grows with it.

#![expect(clippy::unwrap_used, reason = "a benchmark that panics must be fixed")]

use std::collections::BTreeMap;
use std::sync::Arc;

use divan::{Bencher, black_box};
use serde_json::{Value, json};

use tidegate_api::ocm::addon_deployment_config::AddOnDeploymentConfigSpec;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_delivery::{BUDGET, Hosting, Layout, Rendered, Template, Work, WorkOwner, Works, work_writes, works};
use tidegate_model::name::{AddonName, ClusterName};
use tidegate_model::semantics::{Rules, Semantics, SoakDip};

const FLEETS: [usize; 3] = [1_000, 10_000, 100_000];

fn main() {
    divan::main();
}

fn object(api_version: &str, kind: &str, name: &str, rest: Value) -> Value {
    let mut object = json!({
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": name, "namespace": "agent", "labels": {"app": "agent", "part-of": "agent"}},
    });
    object.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    object
}

fn container(name: &str) -> Value {
    let probe =
        |path: &str| json!({"httpGet": {"path": path, "port": 8080}, "periodSeconds": 10, "failureThreshold": 3});
    json!({
        "name": name,
        "image": "quay.io/acme/agent:{{VERSION}}",
        "args": ["--cluster={{CLUSTER_NAME}}", "--hub-kubeconfig={{HUB_KUBECONFIG}}", "--v={{LOG_LEVEL}}", "--leader-elect"],
        "env": [{"name": "POD", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}, {"name": "REGION", "value": "{{REGION}}"}],
        "ports": [{"containerPort": 8080, "name": "http", "protocol": "TCP"}],
        "livenessProbe": probe("/healthz"),
        "readinessProbe": probe("/readyz"),
        "resources": {"requests": {"cpu": "50m", "memory": "64Mi"}, "limits": {"memory": "0.5Gi"}},
        "securityContext": {"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}, "runAsNonRoot": true},
        "volumeMounts": [{"name": "tmp", "mountPath": "/tmp"}],
    })
}

fn workload(kind: &str, name: &str) -> Value {
    let pod = json!({
        "serviceAccountName": "agent",
        "containers": [container("agent"), container("sidecar")],
        "volumes": [{"name": "tmp", "emptyDir": {}}],
        "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
            {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": name}}},
        ]}},
    });
    let spec = json!({
        "selector": {"matchLabels": {"app": name}},
        "template": {"metadata": {"labels": {"app": name, "cluster": "{{CLUSTER_NAME}}"}}, "spec": pod},
    });
    object("apps/v1", kind, name, json!({"spec": spec}))
}

fn rules() -> Value {
    let rule =
        |resource: &str| json!({"apiGroups": ["", "apps"], "resources": [resource], "verbs": ["get", "list", "watch"]});
    ["pods", "deployments", "configmaps", "secrets", "services"].into_iter().map(rule).collect()
}

fn manifests() -> Vec<Value> {
    let binding = |kind: &str| {
        json!({
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": "agent"},
            "subjects": [{"kind": "ServiceAccount", "name": "agent", "namespace": "agent"}],
        })
    };
    let rbac = "rbac.authorization.k8s.io/v1";
    let property =
        |i: usize| (format!("field{i}"), json!({"type": "string", "description": "What the field is good for."}));
    let schema: BTreeMap<String, Value> = (0..40).map(property).collect();
    let mark = json!({"addon.open-cluster-management.io/addon-pre-delete": ""});
    let mut hook =
        object("batch/v1", "Job", "cleanup", json!({"spec": {"template": {"spec": {"containers": [container("c")]}}}}));
    hook["metadata"]["annotations"] = mark;
    let service = json!({"spec": {"selector": {"app": "agent"}, "ports": [{"port": 80, "targetPort": 8080}]}});
    vec![
        object("v1", "Namespace", "agent", json!({})),
        object("v1", "ServiceAccount", "agent", json!({})),
        object(rbac, "ClusterRole", "agent", json!({"rules": rules()})),
        object(rbac, "ClusterRoleBinding", "agent", binding("ClusterRole")),
        object(rbac, "Role", "agent", json!({"rules": rules()})),
        object(rbac, "RoleBinding", "agent", binding("Role")),
        object("v1", "ConfigMap", "settings", json!({"data": {"cluster": "{{CLUSTER_NAME}}", "region": "{{REGION}}"}})),
        object("v1", "ConfigMap", "script", json!({"data": {"run.sh": "echo agent\n".repeat(100)}})),
        object("v1", "ConfigMap", "dashboards", json!({"data": {"agent.json": "{\"panels\": []}".repeat(50)}})),
        object("v1", "Secret", "token", json!({"stringData": {"id": "{{CLUSTER_NAME}}"}})),
        object("v1", "Service", "agent", service.clone()),
        object("v1", "Service", "metrics", service),
        object("policy/v1", "PodDisruptionBudget", "agent", json!({"spec": {"minAvailable": 1}})),
        object(
            "networking.k8s.io/v1",
            "NetworkPolicy",
            "agent",
            json!({"spec": {"podSelector": {}, "policyTypes": ["Ingress"]}}),
        ),
        object(
            "apiextensions.k8s.io/v1",
            "CustomResourceDefinition",
            "agents.acme.io",
            json!({"spec": {"schema": schema}}),
        ),
        workload("Deployment", "agent"),
        workload("Deployment", "controller"),
        workload("Deployment", "gateway"),
        workload("DaemonSet", "node-agent"),
        hook,
    ]
}

fn config() -> AddOnDeploymentConfigSpec {
    let variable = |(name, value)| json!({"name": name, "value": value});
    let variables = [("VERSION", "v1.2.3"), ("LOG_LEVEL", "4"), ("REGION", "eu-west-1")].map(variable);
    serde_json::from_value(json!({
        "agentInstallNamespace": "acme-agent",
        "customizedVariables": variables,
        "nodePlacement": {
            "nodeSelector": {"kubernetes.io/os": "linux"},
            "tolerations": [{"key": "dedicated", "operator": "Exists", "effect": "NoSchedule"}],
        },
        "registries": [{"source": "quay.io/acme", "mirror": "registry.local/acme"}],
        "proxyConfig": {"httpProxy": "http://proxy:3128", "httpsProxy": "http://proxy:3128", "noProxy": ".local", "caBundle": "Y2E="},
        "resourceRequirements": [{"containerID": "deployments:*:sidecar", "resources": {"limits": {"cpu": "100m"}}}],
    }))
    .unwrap()
}

fn prepared() -> Template {
    let template = json!({"spec": {
        "addonName": "agent",
        "agentSpec": {"workload": {"manifests": manifests()}},
        "registration": [{"type": "KubeClient"}],
    }});
    Template::prepare(&addon(), &template, Some(&config())).unwrap()
}

fn addon() -> AddonName {
    "agent".parse().unwrap()
}

fn names(count: usize) -> impl Iterator<Item = ClusterName> {
    (0..count).map(|i| format!("cluster-{i}").parse().unwrap())
}

fn cluster(name: &ClusterName) -> ManagedCluster {
    let mut cluster = ManagedCluster::default();
    cluster.metadata.name = Some(name.to_string());
    cluster
}

fn laid_out(name: &ClusterName, rendered: &Rendered, existing: &BTreeMap<String, Arc<ManifestWork>>) -> Works {
    works(&Layout {
        owner: &WorkOwner::addon(&addon()),
        owner_uid: "0b4f2f0e-6f2e-4e0f-9a61-4d5bd1c0a9e7",
        cluster: name,
        hosting: Hosting::Unsupported,
        rendered,
        config_hashes: None,
        template_configs: &[],
        existing,
        others: &[],
        budget: BUDGET,
        rules: Rules::of(Semantics::Strict, SoakDip::default()),
    })
    .unwrap()
}

/// Renders a template for each cluster.
#[divan::bench(args = FLEETS, sample_count = 5)]
fn rendered(bencher: Bencher<'_, '_>, count: usize) {
    let template = prepared();
    let clusters: Vec<ManagedCluster> = names(count).map(|name| cluster(&name)).collect();
    bencher.bench_local(|| {
        for cluster in &clusters {
            black_box(template.render(cluster).unwrap());
        }
    });
}

/// Lays out the rendered objects for each cluster, which has no works yet.
#[divan::bench(args = FLEETS, sample_count = 5)]
fn laid_out_anew(bencher: Bencher<'_, '_>, count: usize) {
    let (names, none): (Vec<ClusterName>, _) = (names(count).collect(), BTreeMap::new());
    let rendered = prepared().render(&cluster(&names[0])).unwrap();
    bencher.bench_local(|| {
        for name in &names {
            black_box(laid_out(name, &rendered, &none));
        }
    });
}

/// Lays out the rendered objects for each cluster, and compares them with its works, which are already correct.
#[divan::bench(args = FLEETS, sample_count = 5)]
fn laid_out_again(bencher: Bencher<'_, '_>, count: usize) {
    let name: ClusterName = "cluster-0".parse().unwrap();
    let rendered = prepared().render(&cluster(&name)).unwrap();
    let held = |work: Work| {
        let work: ManifestWork = serde_json::from_value(work.object()).unwrap();
        (work.metadata.name.clone().unwrap(), Arc::new(work))
    };
    let existing = laid_out(&name, &rendered, &BTreeMap::new()).apply.into_iter().map(held).collect();
    bencher.bench_local(|| {
        for _ in 0..count {
            let writes = work_writes(&laid_out(&name, &rendered, &existing), &existing);
            assert!(black_box(writes).is_empty());
        }
    });
}

/// Everything that happens when a cluster starts a new version: rendering, layout, comparison.
#[divan::bench(args = FLEETS, sample_count = 5)]
fn started(bencher: Bencher<'_, '_>, count: usize) {
    let (template, none) = (prepared(), BTreeMap::new());
    let clusters: Vec<(ClusterName, ManagedCluster)> =
        names(count).map(|name| (name.clone(), cluster(&name))).collect();
    bencher.bench_local(|| {
        for (name, cluster) in &clusters {
            let rendered = template.render(cluster).unwrap();
            black_box(work_writes(&laid_out(name, &rendered, &none), &none));
        }
    });
}

//! Measures what the daemon keeps of the objects of a hub.
//!
//! Run `cargo bench --bench observed`. The argument of a row is the number of objects; the column `max alloc` has the memory that they
//! need, and the time is that of reading them. Each object is as on a hub where an add-on with a Deployment is done.

#![expect(clippy::unwrap_used, reason = "a benchmark that panics must be fixed")]

use divan::{AllocProfiler, Bencher};
use serde_json::{Value, json};

use tidegate_daemon::hub::{Observed, State};
use tidegate_model::object::GroupKind;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

const OBJECTS: [usize; 2] = [1_000, 10_000];
const SINCE: &str = "2026-03-01T12:00:00Z";
const NAMESPACE: &str = "open-cluster-management-agent-addon";

fn main() {
    divan::main();
}

/// Reads objects of a kind into the state of a hub, and measures what is left of them.
fn held(bencher: Bencher<'_, '_>, (group, kind): (&str, &str), count: usize, object: fn(usize) -> Value) {
    let kind = GroupKind::new(group, kind);
    let texts = || (0..count).map(|number| object(number).to_string()).collect::<Vec<String>>();
    bencher.with_inputs(texts).bench_local_refs(|texts| {
        let mut state = State::default();
        state.watch(&kind);
        for text in texts {
            state.apply(Observed::read(&kind, serde_json::from_str(text).unwrap()).unwrap());
        }
        state
    });
}

fn metadata(name: &str, namespace: &str, number: usize) -> Value {
    json!({
        "name": name, "namespace": namespace, "uid": format!("be21e5d3-c220-4982-866d-{number:012}"), "generation": 1,
        "resourceVersion": number.to_string(), "creationTimestamp": SINCE,
        "labels": { "tidegate.io/instance": "0123456789abcdef", "open-cluster-management.io/addon-name": "hello" },
        "annotations": { "addon.open-cluster-management.io/v1alpha1-install-namespace": NAMESPACE },
        "ownerReferences": [{
            "apiVersion": "addon.open-cluster-management.io/v1beta1", "blockOwnerDeletion": true, "controller": true,
            "kind": "ClusterManagementAddOn", "name": "hello", "uid": "313a4a6b-213a-48cf-8a97-5991816ef34b",
        }],
        "managedFields": [{ "manager": "registration", "operation": "Update", "subresource": "status", "time": SINCE, "fieldsV1": {} }],
    })
}

fn condition(type_: &str, reason: &str, message: &str) -> Value {
    json!({ "type": type_, "status": "True", "reason": reason, "message": message, "lastTransitionTime": SINCE })
}

fn cluster(number: usize) -> Value {
    let resources = json!({ "cpu": "24", "memory": "96Gi" });
    json!({
        "apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster",
        "metadata": metadata(&format!("cluster-{number}"), "", number),
        "spec": { "hubAcceptsClient": true, "leaseDurationSeconds": 60 },
        "status": {
            "capacity": &resources, "allocatable": &resources, "version": { "kubernetes": "v1.33.1" },
            "clusterClaims": [{ "name": "id.k8s.io", "value": format!("id-{number}") }, { "name": "platform", "value": "AWS" }],
            "conditions": [
                condition("HubAcceptedManagedCluster", "HubClusterAdminAccepted", "Accepted by hub cluster admin"),
                condition("ManagedClusterJoined", "ManagedClusterJoined", "Managed cluster joined"),
                condition("ManagedClusterConditionAvailable", "ManagedClusterAvailable", "Managed cluster is available"),
            ],
        },
    })
}

fn cluster_addon(number: usize) -> Value {
    let reference = |resource: &str, name: &str| {
        let hash = "61d7c46e8afd5066ea3c35766cff4c63d9b511ae03ced6980a89d8e4338a810d";
        let config = json!({ "name": name, "namespace": "fleet-addons", "specHash": hash });
        json!({
            "group": "addon.open-cluster-management.io", "resource": resource, "lastObservedGeneration": 1,
            "desiredConfig": config, "lastAppliedConfig": config,
        })
    };
    json!({
        "apiVersion": "addon.open-cluster-management.io/v1beta1", "kind": "ManagedClusterAddOn",
        "metadata": metadata("hello", &format!("cluster-{number}"), number),
        "spec": {},
        "status": {
            "conditions": [
                condition("Configured", "ConfigurationsConfigured", "Configurations configured"),
                condition("Progressing", "Completed", "completed with no errors."),
                condition("RegistrationApplied", "SetPermissionApplied", "Registration of the addon agent is configured"),
                condition("tidegate.io/Delivered", "Applied", "deployments open-cluster-management-agent-addon/hello-agent=0"),
                condition("ManifestApplied", "AddonManifestApplied", "manifests of addon are applied successfully"),
                condition("Available", "ProbeAvailable", "hello add-on is available."),
            ],
            "configReferences": [reference("addondeploymentconfigs", "hello"), reference("addontemplates", "hello-0.4.0")],
            "healthCheck": { "mode": "Customized" }, "namespace": NAMESPACE,
            "supportedConfigs": [{ "group": "addon.open-cluster-management.io", "resource": "addontemplates" }],
        },
    })
}

fn work(number: usize) -> Value {
    let object = |kind: &str, version: &str| json!({ "apiVersion": version, "kind": kind, "metadata": { "name": "hello-agent", "namespace": NAMESPACE } });
    let mut role = object("Role", "rbac.authorization.k8s.io/v1");
    role["rules"] = json!([{ "apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list", "watch", "create", "update"] }]);
    let mut deployment = object("Deployment", "apps/v1");
    deployment["spec"] = json!({
        "replicas": 1, "selector": { "matchLabels": { "app": "hello-agent" } },
        "template": {
            "metadata": { "labels": { "app": "hello-agent" } },
            "spec": {
                "serviceAccountName": "hello-agent",
                "containers": [{
                    "name": "agent", "image": "quay.io/open-cluster-management/addon-examples:v0.4.0",
                    "args": ["/helloworld", "agent", format!("--cluster-name=cluster-{number}"), "--v=2"],
                    "resources": { "requests": { "cpu": "10m", "memory": "32Mi" }, "limits": { "memory": "128Mi" } },
                    "securityContext": { "readOnlyRootFilesystem": true, "runAsNonRoot": true, "capabilities": { "drop": ["ALL"] } },
                }],
            },
        },
    });
    let manifests = [object("ServiceAccount", "v1"), role, deployment];
    let report = |(ordinal, manifest): (usize, &Value)| {
        let value = |name: &str| json!({ "name": name, "fieldValue": { "type": "Integer", "integer": 1 } });
        let feedback =
            ["ReadyReplicas", "Replicas", "AvailableReplicas", "TidegateGeneration", "TidegateObservedGeneration"];
        let feedback = if ordinal == 2 { json!({ "values": feedback.map(value) }) } else { json!({}) };
        json!({
            "resourceMeta": {
                "ordinal": ordinal, "group": "apps", "version": "v1", "kind": manifest["kind"], "resource": "deployments",
                "name": "hello-agent", "namespace": NAMESPACE,
            },
            "statusFeedback": feedback,
            "conditions": [
                condition("Applied", "AppliedManifestComplete", "Apply manifest complete"),
                condition("Available", "ResourceAvailable", "Resource is available"),
                condition("StatusFeedbackSynced", "StatusFeedbackSynced", ""),
            ],
        })
    };
    let reports: Vec<Value> = manifests.iter().enumerate().map(report).collect();
    json!({
        "apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork",
        "metadata": metadata("addon-hello-deploy-0", &format!("cluster-{number}"), number),
        "spec": {
            "workload": { "manifests": manifests },
            "manifestConfigs": [{
                "resourceIdentifier": { "group": "apps", "resource": "deployments", "name": "hello-agent", "namespace": NAMESPACE },
                "feedbackRules": [{ "type": "WellKnownStatus" }, { "type": "JSONPaths", "jsonPaths": [
                    { "name": "TidegateGeneration", "path": ".metadata.generation" },
                    { "name": "TidegateObservedGeneration", "path": ".status.observedGeneration" },
                ] }],
            }],
        },
        "status": {
            "conditions": [
                condition("Applied", "AppliedManifestWorkComplete", "Apply manifest work complete"),
                condition("Available", "ResourcesAvailable", "All resources are available"),
            ],
            "resourceStatus": { "manifests": reports },
        },
    })
}

/// The work of an application with a Deployment and a Service, which records what the cluster was given: it has no ManagedClusterAddOn.
fn application_work(number: usize) -> Value {
    let mut work = work(number);
    let hash = "61d7c46e8afd5066ea3c35766cff4c63d9b511ae03ced6980a89d8e4338a810d";
    let config = json!({ "name": "web@61d7c46e8afd", "namespace": "shop", "specHash": hash });
    let record = json!({
        "unit": "application/shop/web", "cluster": format!("cluster-{number}"),
        "configReferences": [{
            "group": "core.oam.dev", "resource": "applications", "lastObservedGeneration": 0, "desiredConfig": config,
            "lastAppliedConfig": config,
        }],
        "conditions": [
            condition("Configured", "ConfigurationsConfigured", "Configurations configured"),
            condition("Progressing", "Completed", "completed with no errors."),
            condition("tidegate.io/Delivered", "Applied", "deployments open-cluster-management-agent-addon/hello-agent=0"),
        ],
    });
    let metadata = &mut work["metadata"];
    metadata["name"] = json!("app-web-e02c6b389d7ad75f361e-0");
    metadata["labels"] =
        json!({ "tidegate.io/instance": "0123456789abcdef", "tidegate.io/unit": "e02c6b389d7ad75f361e" });
    metadata["annotations"] =
        json!({ "tidegate.io/unit": "application/shop/web", "tidegate.io/assignment": record.to_string() });
    metadata["ownerReferences"] = json!([]);
    for kind in ["roles", "serviceaccounts"] {
        let identifier = json!({ "group": "", "resource": kind, "name": "hello-agent", "namespace": NAMESPACE });
        work["spec"]["manifestConfigs"].as_array_mut().unwrap().push(json!({ "resourceIdentifier": identifier }));
    }
    for config in work["spec"]["manifestConfigs"].as_array_mut().unwrap() {
        config["updateStrategy"] =
            json!({ "type": "ServerSideApply", "serverSideApply": { "fieldManager": "work-agent", "force": false } });
    }
    work
}

#[divan::bench(args = OBJECTS)]
fn clusters(bencher: Bencher<'_, '_>, count: usize) {
    held(bencher, ("cluster.open-cluster-management.io", "ManagedCluster"), count, cluster);
}

#[divan::bench(args = OBJECTS)]
fn cluster_addons(bencher: Bencher<'_, '_>, count: usize) {
    held(bencher, ("addon.open-cluster-management.io", "ManagedClusterAddOn"), count, cluster_addon);
}

#[divan::bench(args = OBJECTS)]
fn works(bencher: Bencher<'_, '_>, count: usize) {
    held(bencher, ("work.open-cluster-management.io", "ManifestWork"), count, work);
}

#[divan::bench(args = OBJECTS)]
fn application_works(bencher: Bencher<'_, '_>, count: usize) {
    held(bencher, ("work.open-cluster-management.io", "ManifestWork"), count, application_work);
}

//! Measures how fast configurations are hashed: a template of a few megabytes.
//!
//! Run `cargo bench --bench spec_hash` on one core. Bytes are those of the text that is hashed.

#![expect(clippy::unwrap_used, reason = "a benchmark that panics must be fixed")]

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use serde_json::{Value, json};

use tidegate_go::canonical::{hashed_text, sha256_hex, spec_hash};
use tidegate_go::json::Json;

fn main() {
    divan::main();
}

/// A template with the manifests of a few hundred agents: short, deeply nested fields, and some long strings.
fn template() -> Value {
    let manifests: Vec<Value> = (0..400).flat_map(|n| [deployment(n), script(n), definition(n)]).collect();
    json!({
        "apiVersion": "addon.open-cluster-management.io/v1beta1",
        "kind": "AddOnTemplate",
        "metadata": { "name": "large" },
        "spec": { "addonName": "large", "agentSpec": { "workload": { "manifests": manifests } } },
    })
}

fn deployment(n: usize) -> Value {
    let container = |name: &str| {
        json!({
            "name": name,
            "image": format!("quay.io/open-cluster-management/{name}:v1.{n}.0"),
            "args": ["--cluster-name={{CLUSTER_NAME}}", "--hub-kubeconfig={{HUB_KUBECONFIG}}", "--threshold=0.25"],
            "env": [{ "name": "NAMESPACE", "value": "{{INSTALL_NAMESPACE}}" }, { "name": "LEVEL", "value": "4" }],
            "resources": { "limits": { "cpu": "500m", "memory": "256Mi" }, "requests": { "cpu": "50m" } },
            "livenessProbe": { "httpGet": { "path": "/healthz", "port": 8000 }, "periodSeconds": 10 },
            "securityContext": { "runAsNonRoot": true, "readOnlyRootFilesystem": true, "privileged": false },
        })
    };
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "name": format!("agent-{n}"), "namespace": "agents", "labels": { "app": "agent" } },
        "spec": {
            "replicas": n % 3,
            "selector": { "matchLabels": { "app": "agent" } },
            "template": {
                "metadata": { "labels": { "app": "agent" } },
                "spec": { "containers": [container("agent"), container("proxy")], "priority": null },
            },
        },
    })
}

fn script(n: usize) -> Value {
    let line = format!("if [ \"$MODE\" != \"{n}\" ] && [ -f /etc/agent.conf ]; then\n\techo <starting> >&2\nfi\n");
    json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": { "name": format!("script-{n}"), "namespace": "agents" },
        "data": { "start.sh": line.repeat(40), "größe": "ä" },
    })
}

fn definition(n: usize) -> Value {
    let text = "Describes what the field means, what it may hold, and what happens if it is left out. ".repeat(4);
    let property = json!({ "type": "string", "maxLength": 253, "description": text });
    let properties: Value = (0..12).map(|field| (format!("field{field}"), property.clone())).collect();
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("things{n}.example.io") },
        "spec": { "group": "example.io", "versions": [{ "name": "v1", "schema": { "properties": properties } }] },
    })
}

/// All steps from an object to its hash.
#[divan::bench]
fn hash_of_a_template(bencher: Bencher<'_, '_>) {
    let template = template();
    let bytes = hashed_text(&template).len();
    bencher.counter(BytesCount::new(bytes)).bench(|| spec_hash(black_box(&template)));
}

/// The first half: the text to hash.
#[divan::bench]
fn text_of_a_template(bencher: Bencher<'_, '_>) {
    let template = template();
    let bytes = hashed_text(&template).len();
    bencher.counter(BytesCount::new(bytes)).bench(|| hashed_text(black_box(&template)));
}

/// The second half: the SHA-256 itself.
#[divan::bench]
fn sha256_of_the_text(bencher: Bencher<'_, '_>) {
    let text = hashed_text(&template());
    bencher.counter(BytesCount::new(text.len())).bench(|| sha256_hex(black_box(text.as_bytes())));
}

/// Parsing the text into an object, as Go reads it.
#[divan::bench]
fn template_from_text(bencher: Bencher<'_, '_>) {
    let text = hashed_text(&template());
    bencher.counter(BytesCount::new(text.len())).bench(|| Json::parse(black_box(&text)).unwrap().to_value().unwrap());
}

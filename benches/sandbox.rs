//! Measures how much the embedded hub holds, and how fast it writes while many clients watch.
//!
//! Run `cargo bench --bench sandbox`. The first line shows the memory for a fleet of ten thousand clusters with three add-ons. The
//! rows after it show how fast statuses are written through the whole service, in process, while up to fifty watchers read every
//! change.

#![expect(clippy::unwrap_used, reason = "a benchmark that panics must be fixed")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::body::Body;
use futures::StreamExt as _;
use serde_json::{Value, json};
use tidegate_api::ocm::crds;
use tidegate_model::time::Timestamp;
use tidegate_sandbox::Sandbox;
use tidegate_sandbox::fleet::{FleetSpec, clusters};
use tower::ServiceExt as _;

const CLUSTERS: usize = 10_000;
const ADDONS: [&str; 3] = ["hello", "metrics", "policy"];
const WORKS: &str = "/apis/work.open-cluster-management.io/v1";
const MANAGED: &str = "/apis/addon.open-cluster-management.io/v1alpha1";
/// The kinds that are written and watched.
const KINDS: [&str; 2] = [
    "/apis/work.open-cluster-management.io/v1/manifestworks",
    "/apis/addon.open-cluster-management.io/v1alpha1/managedclusteraddons",
];
const WATCHERS: usize = 50;
const WRITERS: usize = 16;
const WRITES: usize = 100_000;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(run());
}

async fn run() {
    let before = resident();
    let sandbox = Sandbox::new(&crds::all().unwrap(), Timestamp::now);
    let began = Instant::now();
    sandbox.seed(clusters(&FleetSpec { clusters: CLUSTERS, ..FleetSpec::default() })).unwrap();
    let names: Vec<String> = clusters(&FleetSpec { clusters: CLUSTERS, ..FleetSpec::default() })
        .iter()
        .map(|cluster| cluster["metadata"]["name"].as_str().unwrap().to_owned())
        .collect();
    for addon in ADDONS {
        sandbox.seed(names.iter().map(|cluster| managed_addon(addon, cluster))).unwrap();
        sandbox.seed(names.iter().map(|cluster| work(addon, cluster))).unwrap();
    }
    let count = CLUSTERS * (1 + 2 * ADDONS.len());
    println!("{count} objects in {:.1?}: {} MiB", began.elapsed(), (resident() - before) >> 20);
    for watchers in [0, 2, WATCHERS] {
        write_while_watched(&sandbox, &names, watchers).await;
    }
    println!("after the writes: {} MiB", (resident() - before) >> 20);
}

/// Writes statuses from several tasks, alternating between works and add-ons, while each watcher watches all objects of one kind.
async fn write_while_watched(sandbox: &Sandbox, names: &[String], watchers: usize) {
    let seen = Arc::new(AtomicUsize::new(0));
    let mut watching = Vec::new();
    for watcher in 0..watchers {
        watching.push(tokio::spawn(watch(sandbox.clone(), KINDS[watcher % 2], Arc::clone(&seen))));
    }
    while seen.load(Ordering::SeqCst) < watchers {
        tokio::task::yield_now().await;
    }
    seen.store(0, Ordering::SeqCst);
    let began = Instant::now();
    let writing: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let (sandbox, names) = (sandbox.clone(), names.to_vec());
            tokio::spawn(async move {
                let router = sandbox.router();
                for number in (writer..WRITES).step_by(WRITERS) {
                    let (cluster, addon) = (&names[number / 2 % names.len()], ADDONS[number / 2 / names.len() % ADDONS.len()]);
                    let path = match number % 2 {
                        0 => format!("{WORKS}/namespaces/{cluster}/manifestworks/addon-{addon}-deploy-0/status"),
                        _ => format!("{MANAGED}/namespaces/{cluster}/managedclusteraddons/{addon}/status"),
                    };
                    let body = json!({ "status": { "conditions": [condition("Applied", (watchers + 1) * WRITES + number), condition("Available", number)] } });
                    let request = axum::http::Request::patch(path)
                        .header("content-type", "application/merge-patch+json")
                        .body(Body::from(body.to_string()))
                        .unwrap();
                    let answer = router.clone().oneshot(request).await.unwrap();
                    assert_eq!(answer.status(), 200);
                    // Like a writer that waits for its response.
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    for task in writing {
        task.await.unwrap();
    }
    let written = began.elapsed();
    let deadline = Instant::now() + Duration::from_secs(60);
    let events = WRITES / 2 * watchers;
    while seen.load(Ordering::SeqCst) < events && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let rate = |span: Duration| WRITES as f64 / span.as_secs_f64();
    println!(
        "{watchers:2} watchers: {:.0} writes per second; {:.0} until all {} events were read",
        rate(written),
        rate(began.elapsed()),
        seen.load(Ordering::SeqCst),
    );
    watching.into_iter().for_each(|task| task.abort());
}

async fn watch(sandbox: Sandbox, kind: &str, seen: Arc<AtomicUsize>) {
    let revision = {
        let list = axum::http::Request::get(format!("{kind}?limit=1"));
        let answer = sandbox.router().oneshot(list.body(Body::empty()).unwrap()).await.unwrap();
        let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        let list: Value = serde_json::from_slice(&body).unwrap();
        list["metadata"]["resourceVersion"].as_str().unwrap().to_owned()
    };
    let path = format!("{kind}?watch=true&allowWatchBookmarks=true&resourceVersion={revision}");
    let request = axum::http::Request::get(path).body(Body::empty()).unwrap();
    let answer = sandbox.router().oneshot(request).await.unwrap();
    seen.fetch_add(1, Ordering::SeqCst);
    let mut events = answer.into_body().into_data_stream();
    while let Some(event) = events.next().await {
        // Every event is a separate chunk.
        let event = event.unwrap();
        assert!(!event.starts_with(br#"{"type":"ERROR""#), "{kind}: a watcher is too slow: {event:?}");
        assert_eq!(event.last(), Some(&b'\n'));
        seen.fetch_add(1, Ordering::SeqCst);
    }
}

fn condition(type_: &str, number: usize) -> Value {
    json!({
        "type": type_, "status": "True", "reason": "AppliedManifestWorkComplete", "observedGeneration": 1,
        "message": format!("Apply manifest work complete, {number}"), "lastTransitionTime": "2026-01-01T00:00:00Z",
    })
}

fn managed_addon(addon: &str, cluster: &str) -> Value {
    json!({
        "apiVersion": "addon.open-cluster-management.io/v1alpha1", "kind": "ManagedClusterAddOn",
        "metadata": { "name": addon, "namespace": cluster, "labels": { "addon": addon } },
        "spec": { "installNamespace": "open-cluster-management-agent-addon" },
        "status": { "conditions": [condition("Available", 0), condition("Progressing", 0), condition("Configured", 0)] },
    })
}

/// A work of about three kilobytes: a Deployment, its ServiceAccount and its settings.
fn work(addon: &str, cluster: &str) -> Value {
    let settings: serde_json::Map<String, Value> =
        (0..8).map(|n| (format!("setting-{n}"), json!(format!("value {n} of {addon} on {cluster}")))).collect();
    let container = json!({
        "name": addon, "image": format!("registry.example.com/{addon}:1.4.2"), "args": ["--cluster", cluster, "--v=2"],
        "resources": { "requests": { "cpu": "50m", "memory": "64Mi" }, "limits": { "memory": "256Mi" } },
        "livenessProbe": { "httpGet": { "path": "/healthz", "port": 8080 }, "periodSeconds": 10 },
    });
    json!({
        "apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork",
        "metadata": {
            "name": format!("addon-{addon}-deploy-0"), "namespace": cluster,
            "labels": { "open-cluster-management.io/addon-name": addon },
        },
        "spec": { "workload": { "manifests": [
            { "apiVersion": "v1", "kind": "ServiceAccount", "metadata": { "name": addon, "namespace": "agents" } },
            { "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": addon, "namespace": "agents" }, "data": settings },
            { "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": addon, "namespace": "agents" },
              "spec": { "replicas": 2, "selector": { "matchLabels": { "app": addon } },
                        "template": { "metadata": { "labels": { "app": addon } }, "spec": { "containers": [container] } } } },
        ] } },
    })
}

/// Returns the resident memory of the process in bytes, or 0 if it cannot be read.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<usize>().ok()).map_or(0, |kib| kib * 1024)
}

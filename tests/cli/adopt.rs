//! `tidegate adopt` as users run it, against a hub that is served over HTTP.

use std::path::{Path, PathBuf};

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{session, text, tidegate};
use crate::scratch::tempdir;
use tidegate_api::ocm::crds;
use tidegate_model::time::Timestamp;
use tidegate_repository::load;
use tidegate_sandbox::Sandbox;

/// A hub, and a directory with its kubeconfig.
pub(crate) struct Served {
    pub(crate) hub: Sandbox,
    directory: tempfile::TempDir,
    stop: CancellationToken,
}

impl Served {
    async fn new(crds: &[CustomResourceDefinition]) -> Self {
        let hub = Sandbox::without_controllers(crds, Timestamp::now);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
        tokio::spawn({
            let (hub, stop) = (hub.clone(), stop.clone());
            async move { hub.serve(listener, stop).await }
        });
        let directory = tempdir();
        std::fs::write(directory.path().join("kubeconfig"), kubeconfig(&address.to_string())).unwrap();
        Self { hub, directory, stop }
    }

    /// Creates a hub with the CRDs of OCM and the set of all clusters.
    pub(crate) async fn with_crds() -> Self {
        let served = Self::new(&crds::all().unwrap()).await;
        let set = json!({ "apiVersion": "cluster.open-cluster-management.io/v1beta2", "kind": "ManagedClusterSet", "metadata": { "name": "global" }, "spec": {} });
        served.hub.seed([set]).unwrap();
        served
    }

    /// Creates a hub with the objects of the examples, and with objects that are not declared.
    async fn with_addons() -> Self {
        let served = Self::with_crds().await;
        let objects = load(&crate::example_tree::tree(), "").repository.objects;
        served.hub.seed(objects.values().map(|declared| (*declared.object).clone())).unwrap();
        let own = json!({ "apiVersion": "addon.open-cluster-management.io/v1beta1", "kind": "ClusterManagementAddOn", "metadata": { "name": "cert-policy" }, "spec": {} });
        served.hub.seed([own]).unwrap();
        served
    }

    fn path(&self, name: &str) -> String {
        self.directory.path().join(name).to_str().unwrap().to_owned()
    }

    /// Runs commands on another thread, because this one serves the hub.
    pub(crate) async fn session(&self, commands: &[&[&str]]) -> String {
        let kubeconfig = self.path("kubeconfig");
        let with_hub = |arguments: &&[&str]| -> Vec<String> {
            let mut arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
            if ["adopt", "app", "plan"].contains(&arguments[0].as_str()) {
                arguments.extend(["--kubeconfig".to_owned(), kubeconfig.clone()]);
            }
            arguments
        };
        let commands: Vec<Vec<String>> = commands.iter().map(with_hub).collect();
        let run = move || {
            let commands: Vec<Vec<&str>> =
                commands.iter().map(|arguments| arguments.iter().map(String::as_str).collect()).collect();
            session(&commands)
        };
        tokio::task::spawn_blocking(run).await.unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

pub(crate) fn kubeconfig(address: &str) -> String {
    json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "a",
        "clusters": [{ "name": "a", "cluster": { "server": format!("http://{address}") } }],
        "users": [{ "name": "a", "user": {} }],
        "contexts": [{ "name": "a", "context": { "cluster": "a", "user": "a" } }],
    })
    .to_string()
}

/// Returns all files below a directory, with their content.
fn files(directory: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push((path.clone(), std::fs::read_to_string(path).unwrap())),
        }
    }
    found.sort();
    found
}

async fn versions(served: &Served) -> Vec<Value> {
    let request = axum::http::Request::get("/apis/addon.open-cluster-management.io/v1beta1/clustermanagementaddons");
    let list: Value = served.hub.client().request(request.body(Vec::new()).unwrap()).await.unwrap();
    list["items"].as_array().unwrap().iter().map(|object| object["metadata"]["resourceVersion"].clone()).collect()
}

#[tokio::test]
async fn the_addons_of_a_hub_become_a_repository_without_complaints() {
    let served = Served::with_addons().await;
    let (before, repository) = (versions(&served).await, served.path("repository"));
    let shown = served.session(&[&["adopt", "--dir", &repository], &["validate", &repository]]).await;
    insta::assert_snapshot!("adopted", shown);
    assert_eq!(versions(&served).await, before);
    let written = files(Path::new(&repository));
    assert!(written.iter().any(|(path, _)| path.ends_with("fleet/addons/hello-template/addon.yaml")), "{written:?}");
}

#[tokio::test]
async fn a_dry_run_and_one_addon_are_shown_and_nothing_is_written() {
    let served = Served::with_addons().await;
    let repository = served.path("repository");
    let command: &[&str] = &["adopt", "--dir", &repository, "--dry-run", "--addon", "hello-template"];
    insta::assert_snapshot!("adopt_dry_run", served.session(&[command]).await);
    assert!(!Path::new(&repository).exists());
}

#[tokio::test]
async fn a_mistake_writes_nothing_and_has_a_remedy() {
    let served = Served::with_addons().await;
    let (full, none) = (served.path(""), served.path("none"));
    let commands: [&[&str]; 4] = [
        &["adopt", "--dir", &full],
        &["adopt", "--dir", &served.path("kubeconfig")],
        &["adopt", "--dir", &none, "--addon", "hello-templat"],
        &["adopt", "--dir", &none, "--addon", "cert-policy"],
    ];
    insta::assert_snapshot!("adopt_mistakes", served.session(&commands).await);
    assert!(!Path::new(&none).exists());
}

#[tokio::test]
async fn mistakes_that_the_hub_has_are_written_and_reported() {
    let served = Served::with_addons().await;
    let addon = json!({
        "apiVersion": "addon.open-cluster-management.io/v1beta1", "kind": "ClusterManagementAddOn",
        "metadata": { "name": "lost", "annotations": { "addon.open-cluster-management.io/lifecycle": "self" } },
        "spec": {
            "defaultConfigs": [{ "group": "addon.open-cluster-management.io", "resource": "addontemplates", "name": "lost-1" }],
            "installStrategy": { "type": "Placements", "placements": [{ "namespace": "fleet-addons", "name": "lost" }] },
        },
    });
    served.hub.seed([addon]).unwrap();
    let repository = served.path("repository");
    insta::assert_snapshot!(
        "adopt_complaints",
        served.session(&[&["adopt", "--dir", &repository, "--addon", "lost"]]).await
    );
}

#[tokio::test]
async fn a_hub_without_the_crds_or_that_is_down_is_reported() {
    let served = Served::new(&[]).await;
    let none = served.path("none");
    insta::assert_snapshot!("adopt_without_crds", served.session(&[&["adopt", "--dir", &none]]).await);
    std::fs::write(served.path("kubeconfig"), kubeconfig("127.0.0.1:1")).unwrap();
    insta::assert_snapshot!("adopt_unreachable", served.session(&[&["adopt", "--dir", &none]]).await);
    assert!(!Path::new(&none).exists());
}

#[test]
fn the_help_describes_every_flag() {
    insta::assert_snapshot!("adopt_help", text(&tidegate(&["adopt", "--help"]).stdout));
}

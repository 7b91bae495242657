//! `tidegate doctor` against the sandbox and a repository on disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::DATE;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{code, shown, text, tidegate};
use crate::daemon::permissions::{Uses, granted, uses};
use crate::scratch::tempdir;
use tidegate::doctor::Proof;
use tidegate_api::key::{UNIT, UNIT_LABEL};
use tidegate_api::ocm::crds;
use tidegate_api::work_name::unit_label;
use tidegate_delivery::upstream::Delivery;
use tidegate_git::NewCommit;
use tidegate_model::name::ApplicationName;
use tidegate_model::time::Timestamp;
use tidegate_sandbox::Sandbox;
use tidegate_sandbox::fleet::{self, FleetSpec};

/// Returns a hub with three clusters, on which the kinds of the add-on group are served in one version.
pub(crate) fn hub() -> Sandbox {
    let mut crds = crds::all().unwrap();
    let addons = crds.iter_mut().filter(|crd| crd.spec.group == tidegate_api::key::ADDON_GROUP);
    for version in addons.flat_map(|crd| &mut crd.spec.versions) {
        version.served = version.storage;
    }
    let sandbox = Sandbox::new(&crds, Timestamp::now);
    sandbox.seed(fleet::clusters(&FleetSpec { clusters: 3, ..FleetSpec::default() })).unwrap();
    sandbox
}

/// Serves a hub, and writes its kubeconfig.
pub(crate) async fn serve(directory: &Path, router: axum::Router) -> PathBuf {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    let path = directory.join("kubeconfig");
    let text = format!(
        "apiVersion: v1\nkind: Config\nclusters: [{{name: a, cluster: {{server: 'http://{address}'}}}}]\nusers: [{{name: a, user: {{}}}}]\n\
         contexts: [{{name: a, context: {{cluster: a, user: a}}}}]\ncurrent-context: a\n"
    );
    std::fs::write(&path, text).unwrap();
    path
}

/// Creates a repository with the example.
pub(crate) fn repository(directory: &Path) -> PathBuf {
    let repository = directory.join("fleet.git");
    tidegate_git::init_bare(&repository, "main").unwrap();
    let files = crate::example_tree::tree().files.into_iter().map(|(path, bytes)| (path, Some(bytes)));
    let commit = NewCommit {
        branch: "main".to_owned(),
        parent: None,
        files: files.collect(),
        message: "add-ons".to_owned(),
        author: "Ada".to_owned(),
        email: "ada@example.com".to_owned(),
        at: "2026-11-22T12:00:00Z".parse().unwrap(),
    };
    tidegate_git::seed(&repository, &commit).unwrap();
    repository
}

/// Runs the command on a hub and a repository with a configuration.
async fn examined(router: axum::Router, config: &str, more: &[&str]) -> std::process::Output {
    let directory = tempdir();
    let kubeconfig = serve(directory.path(), router).await;
    let repository = repository(directory.path());
    std::fs::write(directory.path().join("daemon.toml"), config).unwrap();
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    let mut arguments = vec!["doctor".to_owned(), "--kubeconfig".to_owned(), path(&kubeconfig)];
    arguments.extend(["--source".to_owned(), path(&repository)]);
    arguments.extend(["--config".to_owned(), path(&directory.path().join("daemon.toml"))]);
    arguments.extend(more.iter().map(|argument| (*argument).to_owned()));
    let run = move || {
        let output = tidegate(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        (output, directory)
    };
    let (output, directory) = tokio::task::spawn_blocking(run).await.unwrap();
    let refs = crate::daemon::git_in(&directory.path().join("fleet.git"), &["for-each-ref", "--format=%(refname)"]);
    assert_eq!(refs, "refs/heads/main\n", "nothing is written");
    output
}

#[tokio::test]
async fn a_hub_and_a_repository_that_are_well_are_shown_check_by_check() {
    let output = examined(hub().router(), "", &["--placement", "builtin"]).await;
    insta::assert_snapshot!(shown(&output));
}

/// A hub that denies two permissions, those of a declared role, and one list, and whose clock is wrong.
async fn trouble(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let bytes = to_bytes(body, 1 << 20).await.unwrap();
    if parts.uri.path().ends_with("/selfsubjectaccessreviews") {
        let asked: Value = serde_json::from_slice(&bytes).unwrap();
        let asked = &asked["spec"]["resourceAttributes"];
        // The example declares a role for the objects of this resource.
        let is_declared = asked["resource"] == "secrets" || asked["resource"] == "managedserviceaccounts";
        let is_denied =
            is_declared || asked["subresource"] == "status" && asked["group"] == "addon.open-cluster-management.io";
        let review = json!({ "status": { "allowed": !is_denied } });
        return (StatusCode::CREATED, review.to_string()).into_response();
    }
    if parts.uri.path().ends_with("/leases") {
        return StatusCode::FORBIDDEN.into_response();
    }
    let mut response = next.run(Request::from_parts(parts, Body::from(bytes))).await;
    response.headers_mut().insert(DATE, HeaderValue::from_static("Sun, 06 Nov 1994 08:49:37 GMT"));
    response
}

#[tokio::test]
async fn every_problem_is_shown_with_its_fix_and_the_exit_code_is_1() {
    let sandbox = hub();
    let object = json!({
        "apiVersion": "cluster.open-cluster-management.io/v1beta1", "kind": "Placement",
        "metadata": { "name": "fleet", "namespace": "default", "labels": { "tidegate.io/instance": "0123456789abcdef" } },
        "spec": { "clusterSets": ["fleet"] },
    });
    sandbox.seed([object]).unwrap();
    let router = sandbox.router().layer(middleware::from_fn(trouble));
    let output = examined(router, "[verify]\ncommits = \"tip\"\n", &[]).await;
    assert_eq!(code(&output), 1);
    // The clock of this machine does not stand still.
    let seconds = regex::Regex::new(r"is \d+ s ").unwrap();
    insta::assert_snapshot!(seconds.replace_all(&shown(&output), "is [N] s "));
}

/// A hub on which KubeVela has two applications.
async fn with_kubevela(request: Request, next: Next) -> Response {
    let application = |name: &str| json!({ "metadata": { "namespace": "shop", "name": name } });
    let body = match request.uri().path() {
        "/apis/core.oam.dev" => json!({ "kind": "APIGroup", "name": "core.oam.dev" }),
        "/apis/core.oam.dev/v1beta1/applications" => {
            json!({ "kind": "ApplicationList", "metadata": {}, "items": [application("api"), application("web")] })
        }
        _ => return next.run(request).await,
    };
    body.to_string().into_response()
}

#[tokio::test]
async fn applications_that_kubevela_delivers_as_well_are_a_failure() {
    let sandbox = hub();
    let unit = "application/shop/web";
    let name: ApplicationName = unit.to_owned().try_into().unwrap();
    let work = |name: &str, unit: &str, label: String| {
        json!({
            "apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork",
            "metadata": {
                "name": name, "namespace": "default", "labels": { UNIT_LABEL: label }, "annotations": { UNIT: unit },
            },
            "spec": {},
        })
    };
    let api: ApplicationName = "application/shop/api".to_owned().try_into().unwrap();
    // A work of another client has the label.
    sandbox.seed([work("web", unit, unit_label(&name)), work("other", "hello", unit_label(&api))]).unwrap();
    let lines = |output: &std::process::Output| {
        let shown = shown(output);
        shown.lines().skip_while(|line| !line.contains("KubeVela")).take(2).collect::<Vec<_>>().join("\n")
    };
    let router = sandbox.router().layer(middleware::from_fn(with_kubevela));
    let output = examined(router, "", &["--placement", "builtin"]).await;
    assert_eq!(code(&output), 1);
    insta::assert_snapshot!(lines(&output), @r"
    FAIL  KubeVela              KubeVela and Tidegate both deliver shop/web
                                fix: let one of them deliver each application: remove it from the repository, or delete the Application on the hub, with a policy garbage-collect that keeps its objects
    ");
}

#[tokio::test]
async fn the_role_of_the_daemon_is_enough_for_every_check() {
    let used: Arc<Mutex<Uses>> = Arc::default();
    let recorded = Arc::clone(&used);
    let only_granted = move |request: Request, next: Next| {
        let recorded = Arc::clone(&recorded);
        async move {
            let path = request.uri().path();
            let needed = uses(request.method().as_str(), path, "", StatusCode::OK);
            // Everyone may ask for their own permissions.
            let is_review = path.ends_with("/selfsubjectaccessreviews");
            if !is_review && !needed.iter().all(|needed| granted(Delivery::Native, |_| true).contains(needed)) {
                return StatusCode::FORBIDDEN.into_response();
            }
            recorded.lock().extend(needed);
            next.run(request).await
        }
    };
    let output =
        examined(hub().router().layer(middleware::from_fn(only_granted)), "", &["--placement", "builtin"]).await;
    assert!(!text(&output.stdout).contains("is not allowed"), "{}", text(&output.stdout));
    assert!(used.lock().is_superset(&granted(Delivery::Native, |proof| proof == Proof::Doctor)), "{:?}", used.lock());
}

#[tokio::test]
async fn programs_read_the_same_lines() {
    let output = examined(hub().router(), "", &["--placement", "builtin", "-o", "json"]).await;
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = document["checks"].as_array().unwrap();
    assert_eq!((code(&output), checks.len()), (0, 21));
    assert!(checks.iter().all(|check| check["level"] == "OK" && check["detail"].is_string()), "{checks:#?}");
}

#[tokio::test]
async fn the_definitions_that_are_printed_for_a_hub_without_ocm_need_a_webhook() {
    let sandbox = Sandbox::new(&crds::all().unwrap(), Timestamp::now);
    let output = examined(sandbox.router(), "", &["--placement", "builtin"]).await;
    let said = text(&output.stdout);
    assert!(code(&output) == 1 && said.contains("FAIL  conversion"), "{said}");
}

#[test]
fn without_a_hub_and_a_repository_every_check_is_still_reported() {
    let directory = tempdir();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("daemon.toml"), "[source\n").unwrap();
    insta::assert_snapshot!(shown(&tidegate(&[
        "doctor",
        "--kubeconfig",
        &path("none"),
        "--config",
        &path("daemon.toml")
    ])));
}

#[tokio::test]
async fn a_daemon_does_not_start_on_a_hub_that_drops_fields_of_registrations() {
    let directory = tempdir();
    let sandbox = Sandbox::new(&crds::all().unwrap(), Timestamp::now);
    let kubeconfig = serve(directory.path(), sandbox.router()).await;
    let repository = repository(directory.path());
    let run = move || {
        let [repository, kubeconfig] = [&repository, &kubeconfig].map(|path| path.to_str().unwrap());
        (tidegate(&["run", "--source", repository, "--kubeconfig", kubeconfig, "--log", "off"]), directory)
    };
    let (output, _directory) = tokio::task::spawn_blocking(run).await.unwrap();
    insta::assert_snapshot!(shown(&output));
}

#[test]
fn a_machine_without_certificate_authorities_is_told_what_to_install() {
    let directory = tempdir();
    let output = super::program()
        .args(["doctor", "--source", "https://127.0.0.1:9/fleet.git"])
        .env("SSL_CERT_FILE", "/dev/null")
        .env("SSL_CERT_DIR", directory.path())
        .output()
        .unwrap();
    let printed = text(&output.stdout);
    let source = printed.lines().skip_while(|line| !line.contains(" source ")).take(2).collect::<Vec<_>>().join("\n");
    assert!(
        source.contains(
            "this machine has no certificates of authorities, so https://127.0.0.1:9/fleet.git cannot be trusted"
        ),
        "{source}"
    );
    assert!(source.contains("fix: install the certificates of authorities"), "{source}");
}

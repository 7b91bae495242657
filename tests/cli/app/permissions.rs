//! `tidegate app permissions`, and the notes of `validate` and `plan`.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use parking_lot::Mutex;
use serde_json::{Value, json};

use super::{Directory, WEB};
use crate::cli::plan::Clone;

/// The objects that the workflow of KubeVela's rollout example makes.
const DEMO: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {name: workflow-rollout-demo, namespace: default}
spec:
  components:
    - name: nginx-server
      type: k8s-objects
      properties:
        objects:
          - {apiVersion: standard.oam.dev/v1alpha1, kind: Rollout, metadata: {name: nginx-server, namespace: default}}
          - {apiVersion: apps/v1, kind: ControllerRevision, metadata: {name: nginx-server-v1, namespace: default}, revision: 1}
  policies:
    - {name: dev, type: topology, properties: {clusters: [dev2]}}
";

#[test]
fn c21_e6_gets_one_minimal_role_and_never_cluster_admin() {
    let directory = Directory::new();
    directory.write("demo.yaml", DEMO);
    let shown = directory.app(&["permissions", "default/workflow-rollout-demo"]);
    insta::assert_snapshot!(shown, @r#"
    $ tidegate app permissions default/workflow-rollout-demo --path [DIR]
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata:
      labels:
        open-cluster-management.io/aggregate-to-work: "true"
      name: tidegate:work:workflow-rollout-demo
    rules:
    - apiGroups:
      - apps
      resources:
      - controllerrevisions
      verbs:
      - create
      - delete
      - get
      - patch
      - update
    - apiGroups:
      - standard.oam.dev
      resources:
      - rollouts
      verbs:
      - create
      - delete
      - get
      - patch
      - update
    --- stderr
    note: the resource rollouts of Rollout.standard.oam.dev is guessed from its kind; compare it with `kubectl api-resources` on a cluster
    "#);
    assert!(!shown.contains("cluster-admin") && !shown.contains('*'), "{shown}");
    let document = directory.json(&["permissions", "application/default/workflow-rollout-demo"]);
    assert_eq!(document["role"]["rules"][1]["resources"][0], "rollouts", "{document:#}");
    assert_eq!(document["components"]["nginx-server"].as_array().unwrap().len(), 4 + 5, "{document:#}");
}

#[test]
fn the_role_of_an_application_whose_name_is_taken_has_its_namespace() {
    let directory = Directory::new();
    directory.write("demo.yaml", DEMO);
    let other = DEMO.replace("namespace: default}\nspec", "namespace: other}\nspec");
    directory.write("other.yaml", &other.replace("namespace: default}", "namespace: other}"));
    let document = directory.json(&["permissions", "other/workflow-rollout-demo"]);
    assert_eq!(document["role"]["metadata"]["name"], "tidegate:work:other:workflow-rollout-demo", "{document:#}");
}

#[test]
fn an_application_that_needs_no_role_and_one_that_does_not_exist() {
    let directory = Directory::new();
    insta::assert_snapshot!(directory.app(&["permissions", "shop/web"]), @r"
    $ tidegate app permissions shop/web --path [DIR]
    --- stderr
    work agents have every right that shop/web needs
    ");
    insta::assert_snapshot!(directory.app(&["permissions", "shop/wbe"]), @r#"
    $ tidegate app permissions shop/wbe --path [DIR]
    --- stderr
    error: there is no application "shop/wbe"; did you mean "shop/web"?
    --- exit code 2
    "#);
    // One with an error is not described.
    directory.write("web.yaml", &WEB.replace("type: webservice", "type: webservce"));
    let broken = directory.app(&["permissions", "shop/web"]);
    assert!(broken.contains("did you mean \"webservice\"?") && broken.ends_with("--- exit code 1\n"), "{broken}");
}

#[test]
fn validate_and_plan_name_what_is_missing_for_each_component() {
    let directory = Directory::new();
    directory.write("demo.yaml", DEMO);
    let root = directory.path().to_str().unwrap();
    let validated = super::super::session(&[&["validate", root][..]]);
    let note = "application/default/workflow-rollout-demo: component nginx-server needs rights that work agents do not have by default: \
                create, delete, patch, update controllerrevisions.apps; create, delete, get, patch, update rollouts.standard.oam.dev; \
                `tidegate app permissions default/workflow-rollout-demo` prints a role that gives them";
    assert!(validated.contains(&format!("note: demo.yaml:1:1: {note}\n")), "{validated}");
    assert!(!validated.contains("exit code"), "{validated}");
    let output = super::super::tidegate(&["validate", root, "-o", "json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["agentPermissions"][0]["application"], "application/default/workflow-rollout-demo");
    let github = super::super::session(&[&["validate", root, "-o", "github"][..]]);
    assert!(github.contains("::notice file=") && github.contains("title=tidegate work agents::"), "{github}");
}

#[test]
fn a_plan_has_a_note_about_what_is_new() {
    let clone = Clone::new();
    clone.write("tidegate.toml", "[repository]\npath = \"fleet\"\n[applications]\nenabled = true\n");
    clone.commit("applications");
    clone.write("fleet/demo.yaml", &DEMO.replace("clusters: [dev2]", "clusters: [aws-001]"));
    let plan = clone.json(&["plan", "-o", "json"]);
    let notices = plan["notices"].as_array().unwrap();
    let count = |word: &str| notices.iter().filter(|notice| notice.as_str().unwrap().contains(word)).count();
    assert_eq!(count("component nginx-server needs rights"), 1, "{plan:#}");
    clone.commit("demo");
    let plan = clone.json(&["plan", "-o", "json"]);
    assert!(!plan["notices"].to_string().contains("needs rights"), "{plan:#}");
}

/// What a cluster answers to a SubjectAccessReview.
type Answer = fn(&Value) -> Option<bool>;

/// Asks a cluster that answers so about the rights of its agent; returns what the user sees, and what was asked.
async fn checked(answer: Answer, more: &'static [&'static str]) -> (String, Vec<Value>) {
    let directory = Directory::new();
    directory.write("demo.yaml", DEMO);
    let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
    let seen = Arc::clone(&asked);
    let review = move |Json(review): Json<Value>| async move {
        let spec = review["spec"].clone();
        let allowed = answer(&spec);
        seen.lock().push(spec);
        let status = allowed.map_or(json!({}), |allowed| json!({ "allowed": allowed }));
        (StatusCode::CREATED, Json(json!({ "status": status })))
    };
    let router = Router::new().route("/apis/authorization.k8s.io/v1/subjectaccessreviews", post(review));
    let kubeconfig = super::super::doctor::serve(directory.path(), router).await;
    let run = move || {
        let kubeconfig = kubeconfig.to_str().unwrap();
        let all = ["permissions", "default/workflow-rollout-demo", "--check", "--kubeconfig", kubeconfig];
        directory.app(&[&all[..], more].concat())
    };
    let shown = tokio::task::spawn_blocking(run).await.unwrap();
    let asked = std::mem::take(&mut *asked.lock());
    (shown, asked)
}

#[tokio::test]
async fn c21_a_cluster_is_asked_what_its_agent_may_do() {
    let is_of_rollouts: Answer = |spec| Some(spec["resourceAttributes"]["resource"] != "rollouts");
    let (shown, asked) = checked(is_of_rollouts, &[]).await;
    insta::assert_snapshot!(shown, @r#"
    $ tidegate app permissions default/workflow-rollout-demo --check --kubeconfig [DIR]/kubeconfig --path [DIR]
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata:
      labels:
        open-cluster-management.io/aggregate-to-work: "true"
      name: tidegate:work:workflow-rollout-demo
    rules:
    - apiGroups:
      - standard.oam.dev
      resources:
      - rollouts
      verbs:
      - create
      - delete
      - get
      - patch
      - update
    --- stderr
    note: the resource rollouts of Rollout.standard.oam.dev is guessed from its kind; compare it with `kubectl api-resources` on a cluster
    "#);
    assert_eq!(asked.len(), 5 + 5, "{asked:#?}");
    let user = "system:serviceaccount:open-cluster-management-agent:klusterlet-work-sa";
    assert!(asked.iter().all(|spec| spec["user"] == user && spec["groups"].as_array().unwrap().len() == 3));
    let create = asked.iter().find(|spec| spec["resourceAttributes"]["verb"] == "create").unwrap();
    assert_eq!(create["resourceAttributes"]["name"], "");

    let (shown, asked) = checked(|_| Some(true), &["--agent", "agents/work"]).await;
    assert!(
        shown.contains("the work agent of this cluster has every right that default/workflow-rollout-demo needs"),
        "{shown}"
    );
    assert!(asked.iter().all(|spec| spec["user"] == "system:serviceaccount:agents:work"), "{asked:#?}");
}

#[tokio::test]
async fn an_answer_that_is_missing_is_no_right_and_no_lack() {
    let (shown, _) = checked(|spec| (spec["resourceAttributes"]["verb"] != "patch").then_some(true), &[]).await;
    insta::assert_snapshot!(shown, @r"
    $ tidegate app permissions default/workflow-rollout-demo --check --kubeconfig [DIR]/kubeconfig --path [DIR]
    --- stderr
    error: the rights of the work agent are not known: not checked: the answer about `patch controllerrevisions.apps in namespace default` has no status
    hint: check that --kubeconfig and --context name the cluster, and that the account may create SubjectAccessReviews there
    --- exit code 3
    ");
}

/// A definition whose kind depends on a label of the cluster, and an application that uses it.
const BY_CLUSTER: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: ComponentDefinition
metadata: {name: page, namespace: default}
spec:
  workload: {definition: {apiVersion: example.com/v1, kind: Page}}
  schematic:
    tidegate:
      objects:
        - name: workload
          template: {apiVersion: example.com/v1, kind: Page, metadata: {name: '${context.cluster.name}'}}
---
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {name: page, namespace: default}
spec:
  components: [{name: page, type: page}]
  policies:
    - {name: dev, type: topology, properties: {clusters: [dev2]}}
";

#[test]
fn c21_rights_for_objects_that_depend_on_the_cluster_are_those_of_the_declared_clusters() {
    let directory = Directory::new();
    directory.write("page.yaml", BY_CLUSTER);
    let role = directory.app(&["permissions", "default/page"]);
    assert!(role.contains("kind: ClusterRole") && role.contains("- pages"), "{role}");
    directory.write("fleet.yaml", "");
    directory.write("web.yaml", "");
    let unknown = directory.app(&["permissions", "default/page"]);
    let why = "it depends on the cluster, and no ManagedCluster is declared here; declare one";
    assert!(unknown.contains(why), "{unknown}");
}

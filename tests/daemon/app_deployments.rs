//! Candidates, revisions and AppDeployments through the whole daemon.

use std::collections::BTreeMap;

use axum::http::Request;
use serde_json::{Value, json};
use tidegate_api::key::UNIT;
use tidegate_daemon::reconciler::Snapshot;
use tidegate_model::name::ApplicationName;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_model::tree::Tree;
use tidegate_plan::report::AddonReport;
use tidegate_repository::revisions::publish;

use super::world::{Running, World, requests};

const NAME: &str = "application/default/cross-cluster-app";
const FILE: &str = "fleet/deployment.yaml";
const CLUSTERS: usize = 14;

/// The clusters that may run applications, and the permission for their namespace to use them.
const SET: &str = "\
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: {name: apps}
spec:
  clusterSelector:
    selectorType: LabelSelector
    labelSelector: {matchExpressions: [{key: env, operator: Exists}]}
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: apps, namespace: default}
spec: {clusterSet: apps}
";

/// As it is written for KubeVela.
const DEPLOYMENT: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: AppDeployment
metadata:
  name: cross-cluster-app
  namespace: default
spec:
  appRevisions:
    - revisionName: cluster-test-app-v1
      placement:
        - clusterSelector:
            labels:
              env: stage
            name: prod-cluster-1
          distribution:
            replicas: 3

    - revisionName: cluster-test-app-v2
      placement:
        - clusterSelector:
            labels:
              env: production
            name: prod-cluster-2
          distribution:
            replicas: 4
";

fn application(version: &str, policies: &str) -> String {
    format!(
        "apiVersion: core.oam.dev/v1beta1
kind: Application
metadata:
  name: cluster-test-app-cloneset
  namespace: default
  annotations:
    app.oam.dev/revision-only: \"true\"
spec:
  components:
    - name: helloworld
      type: webservice
      properties:
        image: oamdev/helloworld-python:{version}
        env: [{{name: TARGET, value: KubeVela-{version}}}]
        port: 8080
{policies}"
    )
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    Some(text.as_bytes().to_vec())
}

/// Returns the file of a revision with this version of the image.
fn revision(version: &str) -> (String, Option<Vec<u8>>) {
    let settings = "[applications]\nenabled = true\n";
    let files = [("fleet/app.yaml", application(version, "")), ("tidegate.toml", settings.to_owned())];
    let files = files.map(|(path, text)| (path.to_owned(), text.into_bytes()));
    let tree = Tree { files: files.into(), ..Tree::default() };
    let name: ApplicationName = "application/default/cluster-test-app-cloneset".to_owned().try_into().unwrap();
    let published = publish(&tree, "fleet", &name, Some(&format!("cluster-test-app-{version}"))).unwrap();
    (published.file, published.text.map(String::into_bytes))
}

/// Returns a settled world with clusters for applications, which has the candidate and its first two revisions.
async fn prepared(clusters: &[(&str, &str)]) -> (World, Running) {
    let world = World::settled(CLUSTERS).await;
    for (name, env) in clusters {
        let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } });
        requests::create(&world.client(), "/api/v1/namespaces", &namespace).await;
        let cluster = json!({
            "apiVersion": "cluster.open-cluster-management.io/v1",
            "kind": "ManagedCluster",
            "metadata": { "name": name, "labels": { "env": env } },
            "spec": { "hubAcceptsClient": true },
        });
        let path = "/apis/cluster.open-cluster-management.io/v1/managedclusters";
        requests::create(&world.client(), path, &cluster).await;
    }
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let settings = world.read("main", "tidegate.toml").replace("max_percent = 20", "max_percent = 100");
    let settings = format!("{settings}\n[applications]\nenabled = true\n");
    let files = [
        ("tidegate.toml".to_owned(), bytes(&settings)),
        ("fleet/apps.yaml".to_owned(), bytes(SET)),
        ("fleet/app.yaml".to_owned(), bytes(&application("v2", ""))),
        revision("v1"),
        revision("v2"),
    ];
    world.commit("a candidate and its revisions", files.into());
    (world, daemon)
}

/// Returns what each cluster has: the image, the replicas, and the generation of the work.
async fn delivered(world: &World, unit: &str) -> BTreeMap<String, (String, i64, i64)> {
    let request = Request::get("/apis/work.open-cluster-management.io/v1/manifestworks").body(Vec::new()).unwrap();
    let list: Value = world.client().request(request).await.unwrap();
    let works = list["items"].as_array().into_iter().flatten();
    let of_unit = works.filter(|work| work["metadata"]["annotations"][UNIT] == unit);
    let delivered = |work: &Value| {
        let deployment = &work["spec"]["workload"]["manifests"][0];
        let image = deployment["spec"]["template"]["spec"]["containers"][0]["image"].as_str().unwrap();
        let version = image.rsplit(':').next().unwrap().to_owned();
        let replicas = deployment["spec"]["replicas"].as_i64().unwrap_or(1);
        let cluster = work["metadata"]["namespace"].as_str().unwrap().to_owned();
        (cluster, (version, replicas, work["metadata"]["generation"].as_i64().unwrap()))
    };
    of_unit.map(delivered).collect()
}

/// Sets the finalizers of all works of a unit.
async fn hold_works(world: &World, unit: &str, finalizers: Value) {
    for work in world.list("work.open-cluster-management.io/v1", "manifestworks").await {
        if work["metadata"]["annotations"][UNIT] == unit {
            let [namespace, name] = ["namespace", "name"].map(|member| work["metadata"][member].as_str().unwrap());
            let path = format!("/apis/work.open-cluster-management.io/v1/namespaces/{namespace}/manifestworks/{name}");
            let patch = json!({ "metadata": { "finalizers": finalizers } });
            requests::patch(&world.client(), &path, &patch).await;
        }
    }
}

fn of<'s>(snapshot: &'s Snapshot, unit: &str) -> Option<&'s AddonReport> {
    snapshot.report.addon(unit)
}

/// Returns `true` if the clusters of the AppDeployment are done with these versions.
fn is_done(versions: &'static [(&'static str, &'static str)]) -> impl Fn(&Snapshot) -> bool {
    move |snapshot: &Snapshot| {
        let Some(report) = of(snapshot, NAME) else { return false };
        let is_there = |(cluster, version): &(&str, &str)| {
            let found = report.clusters.iter().find(|(name, _)| name.as_str() == *cluster);
            found.is_some_and(|(_, found)| found.version == *version && found.state == ClusterState::Succeeded)
        };
        snapshot.writes == 0 && report.phase == Phase::Completed && versions.iter().all(is_there)
    }
}

const SEED: [(&str, &str); 2] = [("prod-cluster-1", "stage"), ("prod-cluster-2", "production")];

fn expected(of_clusters: &[(&str, &str, i64, i64)]) -> BTreeMap<String, (String, i64, i64)> {
    let entry = |&(cluster, version, replicas, generation): &(&str, &str, i64, i64)| {
        (cluster.to_owned(), (version.to_owned(), replicas, generation))
    };
    of_clusters.iter().map(entry).collect()
}

#[tokio::test(start_paused = true)]
async fn c9_each_cluster_gets_its_revision_and_replicas_and_an_upgrade_changes_only_its_entry() {
    let (world, mut daemon) = prepared(&SEED).await;
    world.commit("deploy", [(FILE.to_owned(), bytes(DEPLOYMENT))].into());
    let waits = |s: &Snapshot| {
        let clusters = of(s, NAME).into_iter().flat_map(|report| &report.clusters);
        clusters
            .into_iter()
            .any(|(name, cluster)| name.as_str() == "prod-cluster-2" && cluster.reason.contains("waits for placement"))
    };
    daemon.until("the second entry waits for the first one", waits).await;
    let done = is_done(&[("prod-cluster-1", "cluster-test-app-v1*3"), ("prod-cluster-2", "cluster-test-app-v2*4")]);
    daemon.until("both entries", done).await;
    let first = expected(&[("prod-cluster-1", "v1", 3, 1), ("prod-cluster-2", "v2", 4, 1)]);
    assert_eq!(delivered(&world, NAME).await, first);

    world.edit(FILE, "revisionName: cluster-test-app-v1", "revisionName: cluster-test-app-v2");
    daemon.until("the upgrade", is_done(&[("prod-cluster-1", "cluster-test-app-v2*3")])).await;
    let second = expected(&[("prod-cluster-1", "v2", 3, 2), ("prod-cluster-2", "v2", 4, 1)]);
    assert_eq!(delivered(&world, NAME).await, second);

    world.commit("remove", [(FILE.to_owned(), None)].into());
    daemon.until("the removal", |s| of(s, NAME).is_none() && s.writes == 0).await;
    assert!(delivered(&world, NAME).await.is_empty());
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn c8_a_revision_that_is_changed_deleted_or_published_again_changes_nothing_on_clusters() {
    let (world, mut daemon) = prepared(&SEED).await;
    world.commit("deploy", [(FILE.to_owned(), bytes(DEPLOYMENT))].into());
    daemon.until("both entries", is_done(&[("prod-cluster-2", "cluster-test-app-v2*4")])).await;
    let before = delivered(&world, NAME).await;
    let (file, sound) = revision("v2");
    let text = String::from_utf8(sound.clone().unwrap()).unwrap();
    let (_, other) = revision("v3");
    let again = String::from_utf8(other.unwrap()).unwrap().replace("cluster-test-app-v3", "cluster-test-app-v2");
    let mistakes = [
        (bytes(&text.replace("helloworld-python:v2", "helloworld-python:v3")), "was changed after it was published"),
        (None, "revision \"cluster-test-app-v2\" does not exist"),
        (bytes(&again), "was published before with digest"),
    ];
    for (content, problem) in mistakes {
        world.commit(problem, [(file.clone(), content)].into());
        let is_held = |s: &Snapshot| {
            let report = of(s, NAME).and_then(|report| report.problem.as_deref());
            s.writes == 0 && report.is_some_and(|found| found.contains(problem))
        };
        daemon.until(problem, is_held).await;
        assert_eq!(delivered(&world, NAME).await, before, "{problem}");
        // So it is after a restart.
        daemon.end().await;
        daemon = world.daemon("mirror.git").await;
        daemon.until(problem, is_held).await;
        assert_eq!(delivered(&world, NAME).await, before, "{problem}");
    }
    world.commit("restored", [(file, sound)].into());
    let is_sound = |s: &Snapshot| s.writes == 0 && of(s, NAME).is_some_and(|report| report.problem.is_none());
    daemon.until("the revision is restored", is_sound).await;
    assert_eq!(delivered(&world, NAME).await, before);
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn c9_a_cluster_that_two_entries_select_keeps_what_it_has_and_the_others_go_on() {
    let clusters = [("edge-1", "stage"), ("edge-2", "stage"), ("edge-3", "stage"), ("edge-4", "production")];
    let (world, mut daemon) = prepared(&clusters).await;
    let deployment = |version: &str| {
        format!(
            "apiVersion: core.oam.dev/v1beta1
kind: AppDeployment
metadata: {{name: cross-cluster-app, namespace: default}}
spec:
  rolloutStrategy: {{type: Progressive, progressive: {{maxConcurrency: 1}}}}
  appRevisions:
    - revisionName: cluster-test-app-{version}
      placement: [{{clusterSelector: {{labels: {{env: stage}}}}}}]
    - revisionName: cluster-test-app-v1
      placement: [{{clusterSelector: {{labels: {{env: production}}}}}}, {{clusterSelector: {{labels: {{ring: late}}}}}}]
"
        )
    };
    world.label("edge-4", "ring", "other").await;
    world.commit("deploy", [(FILE.to_owned(), bytes(&deployment("v1")))].into());
    let has_all = |s: &Snapshot| of(s, NAME).is_some_and(|report| s.writes == 0 && report.counts().succeeded == 4);
    daemon.until("the installation", has_all).await;

    world.commit("upgrade", [(FILE.to_owned(), bytes(&deployment("v2")))].into());
    let is_under_way = |s: &Snapshot| of(s, NAME).is_some_and(|report| report.counts().progressing == 1);
    daemon.until("the first cluster", is_under_way).await;
    world.label("edge-3", "ring", "late").await;
    let upgraded = |s: &Snapshot| {
        let Some(report) = of(s, NAME) else { return false };
        let is_new = |name: &str| {
            report.clusters.iter().any(|(known, cluster)| {
                known.as_str() == name
                    && cluster.version == "cluster-test-app-v2"
                    && cluster.state == ClusterState::Succeeded
            })
        };
        s.writes == 0 && is_new("edge-1") && is_new("edge-2")
    };
    let seen = daemon.until("the others", upgraded).await;
    let contested = of(&seen, NAME).unwrap().clusters.iter().find(|(name, _)| name.as_str() == "edge-3").unwrap().1;
    assert_eq!(contested.state, ClusterState::Waiting);
    insta::assert_snapshot!(
        contested.reason,
        @"keeps what it has: entries 1 and 3 of the AppDeployment both select it; keep one of them, or change the labels of the cluster"
    );
    let found = delivered(&world, NAME).await;
    let versions: Vec<&str> = found.values().map(|(version, ..)| version.as_str()).collect();
    assert_eq!(versions, ["v2", "v2", "v1", "v1"]);

    // It goes on once only one entry selects it.
    world.label("edge-3", "ring", "early").await;
    let is_new = |s: &Snapshot| {
        let report = of(s, NAME).map(|report| report.counts());
        s.writes == 0 && report.is_some_and(|counts| counts.succeeded == 4)
    };
    daemon.until("the last one", is_new).await;
    assert_eq!(delivered(&world, NAME).await["edge-3"].0, "v2");
    daemon.end().await;
}

const CANDIDATE: &str = "application/default/cluster-test-app-cloneset";
const REVISION_ONLY: &str = "app.oam.dev/revision-only: \"true\"";

#[tokio::test(start_paused = true)]
async fn c7_a_candidate_changes_nothing_on_clusters_whether_it_was_rolled_out_or_not() {
    let (world, mut daemon) = prepared(&SEED).await;
    let is_candidate = |s: &Snapshot| {
        let problem = of(s, CANDIDATE).and_then(|report| report.problem.as_deref());
        s.writes == 0 && problem.is_some_and(|problem| problem.starts_with("candidate: "))
    };
    let seen = daemon.until("the candidate", is_candidate).await;
    assert_eq!(of(&seen, CANDIDATE).unwrap().phase, Phase::Held);
    assert!(delivered(&world, CANDIDATE).await.is_empty());

    let policies =
        "  policies: [{name: all, type: topology, properties: {clusters: [prod-cluster-1, prod-cluster-2]}}]\n";
    let rolled_out = |version: &str| application(version, policies).replace(REVISION_ONLY, "note: rolled out");
    let app = "fleet/app.yaml".to_owned();
    world.commit("roll out", [(app.clone(), bytes(&rolled_out("v1")))].into());
    let has_all = |s: &Snapshot| {
        s.writes == 0 && of(s, CANDIDATE).is_some_and(|r| r.phase == Phase::Completed && r.counts().succeeded == 2)
    };
    daemon.until("the rollout", has_all).await;
    let before = delivered(&world, CANDIDATE).await;
    assert_eq!(before, expected(&[("prod-cluster-1", "v1", 1, 1), ("prod-cluster-2", "v1", 1, 1)]));

    // With another version, without clusters, and with a mistake: also after a restart, and if the file cannot be read.
    let next = application("v2", policies);
    let texts = [
        next.clone(),
        application("v2", ""),
        next.replace("type: webservice", "type: webservise"),
        next.replace("spec:\n", "spec: [\n"),
    ];
    for text in texts {
        world.commit("another candidate", [(app.clone(), bytes(&text))].into());
        let commit = world.git(&["rev-parse", "main"]);
        let has_seen = |s: &Snapshot| {
            let seen = s.facts.revision.seen.as_ref().is_some_and(|seen| seen.commit.as_str() == commit.trim());
            seen && is_candidate(s)
        };
        daemon.until("the next candidate", has_seen).await;
        assert_eq!(delivered(&world, CANDIDATE).await, before, "{text}");
        daemon.end().await;
        daemon = world.daemon("mirror.git").await;
        let seen = daemon.until("the candidate after a restart", has_seen).await;
        assert_eq!(of(&seen, CANDIDATE).unwrap().counts().succeeded, 2, "{text}");
        assert_eq!(delivered(&world, CANDIDATE).await, before, "{text}");
    }
    world.commit("roll out", [(app, bytes(&rolled_out("v2")))].into());
    daemon.until("the next rollout", has_all).await;
    let after = delivered(&world, CANDIDATE).await;
    assert_eq!(after, expected(&[("prod-cluster-1", "v2", 1, 2), ("prod-cluster-2", "v2", 1, 2)]));
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn an_app_deployment_waits_until_its_application_has_left_the_cluster() {
    let (world, mut daemon) = prepared(&SEED).await;
    let policies = "  policies: [{name: one, type: topology, properties: {clusters: [prod-cluster-1]}}]\n";
    let app = "fleet/app.yaml".to_owned();
    let rolled_out = application("v1", policies).replace(REVISION_ONLY, "note: rolled out");
    world.commit("roll out", [(app.clone(), bytes(&rolled_out))].into());
    let has_one = |s: &Snapshot| s.writes == 0 && of(s, CANDIDATE).is_some_and(|r| r.counts().succeeded == 1);
    daemon.until("the rollout", has_one).await;

    let files = [(app.clone(), bytes(&application("v1", ""))), (FILE.to_owned(), bytes(DEPLOYMENT))];
    world.commit("deploy revisions", files.into());
    let waits = |s: &Snapshot| {
        let clusters = of(s, NAME).into_iter().flat_map(|report| &report.clusters);
        let mut clusters = clusters.filter(|(name, _)| name.as_str() == "prod-cluster-1");
        s.writes == 0 && clusters.any(|(_, cluster)| cluster.reason.starts_with("the cluster still has"))
    };
    daemon.until("the cluster waits", waits).await;
    assert!(delivered(&world, NAME).await.is_empty());
    assert_eq!(delivered(&world, CANDIDATE).await, expected(&[("prod-cluster-1", "v1", 1, 1)]));

    world.commit("delete the application", [(app, None)].into());
    daemon.until("both entries", is_done(&[("prod-cluster-2", "cluster-test-app-v2*4")])).await;
    assert!(delivered(&world, CANDIDATE).await.is_empty());
    assert_eq!(delivered(&world, NAME).await["prod-cluster-1"], ("v1".to_owned(), 3, 1));
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn an_application_waits_until_an_app_deployment_has_left_the_cluster() {
    let (world, mut daemon) = prepared(&SEED).await;
    world.commit("deploy", [(FILE.to_owned(), bytes(DEPLOYMENT))].into());
    daemon.until("both entries", is_done(&[("prod-cluster-2", "cluster-test-app-v2*4")])).await;
    let before = delivered(&world, NAME).await;

    // Both at once is a mistake, and changes nothing.
    let policies =
        "  policies: [{name: all, type: topology, properties: {clusters: [prod-cluster-1, prod-cluster-2]}}]\n";
    let rolled_out = application("v2", policies).replace(REVISION_ONLY, "note: rolled out");
    let app = "fleet/app.yaml".to_owned();
    world.commit("both", [(app.clone(), bytes(&rolled_out))].into());
    let has_mistake = |s: &Snapshot, unit: &str, what: &str| {
        of(s, unit).and_then(|report| report.problem.as_deref()).is_some_and(|problem| problem.contains(what))
    };
    let are_held = |s: &Snapshot| {
        s.writes == 0
            && has_mistake(s, NAME, "which is rolled out itself")
            && has_mistake(s, CANDIDATE, "delivers revisions of this application")
    };
    daemon.until("both are held", are_held).await;
    assert_eq!(delivered(&world, NAME).await, before);
    assert!(delivered(&world, CANDIDATE).await.is_empty());

    // The works of the AppDeployment stay for a while, as if an agent had not removed its objects yet.
    hold_works(&world, NAME, json!(["example.com/hold"])).await;
    world.commit("one", [(FILE.to_owned(), None)].into());
    let waits = |s: &Snapshot| {
        let clusters = of(s, CANDIDATE).into_iter().flat_map(|report| &report.clusters);
        s.writes == 0
            && clusters.filter(|(_, c)| c.reason.starts_with("the cluster still has objects of the same")).count() == 2
    };
    daemon.until("the clusters wait", waits).await;
    assert!(delivered(&world, CANDIDATE).await.is_empty());

    hold_works(&world, NAME, json!([])).await;
    let has_all = |s: &Snapshot| s.writes == 0 && of(s, CANDIDATE).is_some_and(|r| r.counts().succeeded == 2);
    daemon.until("the rollout", has_all).await;
    assert!(delivered(&world, NAME).await.is_empty());
    daemon.end().await;
}

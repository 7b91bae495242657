//! An application next to add-ons: it is installed, upgraded, taken over by the next process, and removed.

use axum::http::Request;
use serde_json::{Value, json};
use tidegate_api::key::{ASSIGNMENT, INSTANCE_LABEL, UNIT};
use tidegate_daemon::reconciler::Snapshot;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_plan::report::ClusterReport;

use super::world::{Running, World, eventually, requests};

const NAME: &str = "application/fleet-addons/web";
const FILE: &str = "fleet/web.yaml";
const CLUSTERS: usize = 14;

fn web(version: &str) -> Vec<u8> {
    format!(
        "apiVersion: core.oam.dev/v1beta1
kind: Application
metadata:
  name: web
  namespace: fleet-addons
  annotations:
    app.oam.dev/publishVersion: {version}
spec:
  components:
    - name: server
      type: webservice
      properties:
        image: example.com/web:{version}
        ports: [{{port: 8080, expose: true}}]
      traits: [{{type: scaler, properties: {{replicas: 2}}}}]
  policies:
    - name: fleet
      type: placement
      properties:
        name: fleet
        rolloutStrategy: {{type: Progressive, progressive: {{maxConcurrency: 3}}}}
"
    )
    .into_bytes()
}

fn is_done(version: &str) -> impl Fn(&Snapshot) -> bool {
    move |s: &Snapshot| {
        let Some(web) = s.report.addon(NAME) else { return false };
        let is_there = web.clusters.values().filter(|cluster| cluster.version == version).count() == CLUSTERS;
        s.writes == 0 && web.phase == Phase::Completed && is_there && web.counts().succeeded == CLUSTERS
    }
}

/// Returns the works of the application, as the hub has them.
async fn works(world: &World) -> Vec<Value> {
    let request = Request::get("/apis/work.open-cluster-management.io/v1/manifestworks").body(Vec::new()).unwrap();
    let list: Value = world.client().request(request).await.unwrap();
    let works = list["items"].as_array().cloned().unwrap_or_default();
    works.into_iter().filter(|work| work["metadata"]["annotations"][UNIT] == NAME).collect()
}

/// Declares the application beside the add-ons, and waits until all clusters have it.
async fn installed(world: &World, daemon: &mut Running) -> Vec<Value> {
    daemon.until_settled("0.4.0").await;
    let settings = world.read("main", "tidegate.toml").replace("max_percent = 20", "max_percent = 100");
    let settings = format!("{settings}\n[applications]\nenabled = true\n").into_bytes();
    let files = [(FILE.to_owned(), Some(web("1.4.0"))), ("tidegate.toml".to_owned(), Some(settings))];
    world.commit("web 1.4.0", files.into());
    daemon.until("the installation", is_done("1.4.0")).await;
    works(world).await
}

/// An application of a ConfigMap that is ready once it is switched on.
fn switch(version: &str, state: &str) -> Vec<u8> {
    format!(
        "apiVersion: core.oam.dev/v1beta1
kind: Application
metadata:
  name: web
  namespace: fleet-addons
  annotations:
    app.oam.dev/publishVersion: {version}
spec:
  components:
    - name: switch
      type: k8s-objects
      properties:
        objects:
          - apiVersion: v1
            kind: ConfigMap
            metadata:
              name: switch
              annotations:
                tidegate.io/ready-when: '[\"object.data.state == ''on''\"]'
            data: {{state: '{state}'}}
  policies:
    - name: fleet
      type: placement
      properties: {{name: fleet}}
"
    )
    .into_bytes()
}

#[tokio::test(start_paused = true)]
async fn c23_agents_report_the_fields_that_conditions_read_and_clusters_are_done_by_them() {
    let world = World::settled(CLUSTERS).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let settings = format!("{}\n[applications]\nenabled = true\n", world.read("main", "tidegate.toml")).into_bytes();
    let files = [(FILE.to_owned(), Some(switch("1.0.0", "off"))), ("tidegate.toml".to_owned(), Some(settings))];
    world.commit("switched off", files.into());
    let why = "configmaps fleet-addons/switch is not ready: object.data.state == 'on' is not true";
    let is_waiting = |s: &Snapshot| {
        let clusters = s.report.addon(NAME).into_iter().flat_map(|web| web.clusters.values());
        clusters.filter(|cluster| cluster.reason.contains(why)).count() == CLUSTERS
    };
    let waiting = daemon.until("the reasons", is_waiting).await;
    assert_eq!(waiting.report.addon(NAME).unwrap().counts().succeeded, 0);
    world.commit("switched on", [(FILE.to_owned(), Some(switch("1.1.0", "on")))].into());
    daemon.until("the end", is_done("1.1.0")).await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn works_that_lost_their_mark_are_marked_again_and_start_in_their_turn() {
    let world = World::settled(CLUSTERS).await;
    let mut daemon = world.daemon("mirror.git").await;
    let before = installed(&world, &mut daemon).await;
    for work in &before {
        let (cluster, name) = (&work["metadata"]["namespace"], &work["metadata"]["name"]);
        let (cluster, name) = (cluster.as_str().unwrap(), name.as_str().unwrap());
        let path = format!("/apis/work.open-cluster-management.io/v1/namespaces/{cluster}/manifestworks/{name}");
        let none = json!({ "metadata": { "labels": { INSTANCE_LABEL: Value::Null } } });
        requests::patch(&world.client(), &format!("{path}?fieldManager=somebody"), &none).await;
    }
    let is_again = async || {
        let works = works(&world).await;
        works.iter().all(|work| {
            work["metadata"]["labels"][INSTANCE_LABEL].is_string()
                && work["metadata"]["annotations"][ASSIGNMENT].is_string()
        })
    };
    eventually("all works have a mark and a record", is_again).await;
    daemon.until("the end", is_done("1.4.0")).await;
    let generations = |works: &[Value]| works.iter().map(|w| w["metadata"]["generation"].clone()).collect::<Vec<_>>();
    assert_eq!(generations(&works(&world).await), generations(&before), "the content stays as it is");
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_process_that_starts_after_applications_were_switched_off_knows_the_works_of_held_ones() {
    let world = World::settled(CLUSTERS).await;
    let mut daemon = world.daemon("mirror.git").await;
    let before = installed(&world, &mut daemon).await;
    world.edit("tidegate.toml", "[applications]\nenabled = true", "[applications]\nenabled = false");
    let is_held = |s: &Snapshot| s.report.addon(NAME).is_some_and(|web| web.problem.is_some());
    daemon.until("the application is held", is_held).await;
    daemon.end().await;
    let mut daemon = world.daemon("mirror.git").await;
    let held = daemon.until("the first look", is_held).await;
    assert_eq!(held.report.addon(NAME).unwrap().counts().succeeded, CLUSTERS, "{held:#?}");
    assert_eq!(works(&world).await, before);
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn works_that_are_watched_from_now_on_were_not_started_now() {
    let world = World::settled(CLUSTERS).await;
    let mut daemon = world.daemon("mirror.git").await;
    let before = installed(&world, &mut daemon).await;
    let on = world.read("main", "tidegate.toml");
    let off = on.replace("[applications]\nenabled = true", "[applications]\nenabled = false").into_bytes();
    // Nothing may start from now on.
    let policy = "apiVersion: tidegate.io/v1alpha1
kind: RolloutPolicy
metadata: {name: review}
spec: {selector: {addOns: [application/fleet-addons/web]}, approvals: [{name: review, of: [bob@example.com]}]}
";
    let policy = ("fleet/review.yaml".to_owned(), Some(policy.as_bytes().to_vec()));
    world.commit("off", [(FILE.to_owned(), None), ("tidegate.toml".to_owned(), Some(off)), policy].into());
    daemon.until("the application is gone", |s| s.report.addon(NAME).is_none()).await;
    daemon.end().await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_journal("sync.yaml", "kind: Sync").await;
    let files = [(FILE.to_owned(), Some(web("1.4.0"))), ("tidegate.toml".to_owned(), Some(on.into_bytes()))];
    world.commit("on", files.into());
    daemon.until("the application is known", is_done("1.4.0")).await;
    daemon.end().await;
    assert_eq!(works(&world).await, before);
}

/// Returns an application whose second component comes after the first one.
fn ordered(version: &str) -> Vec<u8> {
    let text = String::from_utf8(web(version)).unwrap();
    let (head, rest) = text.split_once("  policies:").unwrap();
    format!(
        "{head}    - name: texts
      type: k8s-objects
      dependsOn: [server]
      properties:
        objects: [{{apiVersion: v1, kind: ConfigMap, metadata: {{name: texts}}, data: {{version: v{version}}}}}]
  policies:{rest}"
    )
    .into_bytes()
}

#[tokio::test(start_paused = true)]
async fn c18_a_component_is_delivered_once_the_one_before_it_is_healthy() {
    let world = World::settled(CLUSTERS).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.break_works_with("example.com/web:1.5.0");
    let settings = format!("{}\n[applications]\nenabled = true\n", world.read("main", "tidegate.toml")).into_bytes();
    let files = [(FILE.to_owned(), Some(ordered("1.4.0"))), ("tidegate.toml".to_owned(), Some(settings))];
    world.commit("web 1.4.0", files.into());
    daemon.until("the installation", is_done("1.4.0")).await;
    let texts = |work: &Value| -> Value {
        let manifests = work["spec"]["workload"]["manifests"].as_array().unwrap();
        let texts = manifests.iter().find(|manifest| manifest["metadata"]["name"] == "texts").unwrap();
        texts["data"]["version"].clone()
    };
    let all = works(&world).await;
    assert!(all.len() == CLUSTERS && all.iter().all(|work| texts(work) == "v1.4.0"), "{all:#?}");
    world.commit("web 1.5.0", [(FILE.to_owned(), Some(ordered("1.5.0")))].into());
    let waits = |cluster: &&ClusterReport| cluster.reason.starts_with("component texts waits for server: ");
    let is_held =
        |s: &Snapshot| s.report.addon(NAME).is_some_and(|web| web.clusters.values().filter(waits).count() == 3);
    daemon.until("the second component waits", is_held).await;
    let all = works(&world).await;
    assert!(all.iter().all(|work| texts(work) == "v1.4.0"), "{all:#?}");
    assert_eq!(all.iter().filter(|work| work.to_string().contains("example.com/web:1.5.0")).count(), 3);
    world.commit("web 1.6.0", [(FILE.to_owned(), Some(ordered("1.6.0")))].into());
    daemon.until("the upgrade", is_done("1.6.0")).await;
    daemon.end().await;
    for work in works(&world).await {
        assert_eq!(texts(&work), "v1.6.0");
        let record = work["metadata"]["annotations"][ASSIGNMENT].as_str().unwrap();
        assert!(record.ends_with("\"phase\":1}"), "{record}");
    }
}

/// As people write it for KubeVela: first one cloud, then two clusters of the other one with more replicas.
fn in_steps(version: &str) -> Vec<u8> {
    let text = String::from_utf8(web(version)).unwrap();
    let (components, _) = text.split_once("  policies:").unwrap();
    format!(
        "{components}  policies:
    - {{name: aws, type: topology, properties: {{clusterLabelSelector: {{cloud: aws}}}}}}
    - {{name: gcp, type: topology, properties: {{clusters: [gcp-001, gcp-002]}}}}
    - name: large
      type: override
      properties:
        components:
          - name: server
            traits: [{{type: scaler, properties: {{replicas: 4}}}}]
  workflow:
    steps:
      - {{name: first, type: deploy, properties: {{policies: [aws], parallelism: 2}}}}
      - {{name: second, type: deploy, properties: {{policies: [large, gcp]}}}}
"
    )
    .into_bytes()
}

fn a_plan_has_the_steps_one_after_the_other(world: &World) {
    world.git(&["branch", "--force", "next", "main"]);
    world.commit_to("next", "web 1.5.0", [(FILE.to_owned(), Some(in_steps("1.5.0")))].into());
    let source = world.repository();
    let arguments = ["plan", "--source", source.to_str().unwrap(), "--head", "next", "-o", "json"];
    let output = crate::cli::tidegate(&arguments);
    let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
    let planned = plan["addons"].as_array().unwrap().iter().find(|planned| planned["name"] == NAME).unwrap();
    let waves = planned["waves"].as_array().unwrap();
    let stages: Vec<_> = waves.iter().map(|wave| (wave["placement"].as_str().unwrap(), &wave["stage"])).collect();
    assert_eq!(stages, [("fleet-addons/app-web-aws", &json!(0)), ("fleet-addons/app-web-gcp", &json!(1))]);
}

#[tokio::test(start_paused = true)]
async fn a_step_starts_once_the_clusters_of_the_step_before_it_are_done() {
    let world = World::settled(CLUSTERS).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let settings = format!("{}\n[applications]\nenabled = true\n", world.read("main", "tidegate.toml")).into_bytes();
    let files = [(FILE.to_owned(), Some(in_steps("1.4.0"))), ("tidegate.toml".to_owned(), Some(settings))];
    world.commit("web 1.4.0", files.into());
    for version in ["1.4.0", "1.5.0"] {
        let of = |s: &Snapshot, cloud: &str| -> Vec<ClusterReport> {
            let all = s.report.addon(NAME).into_iter().flat_map(|web| &web.clusters);
            let all = all.filter(|(name, _)| name.as_str().starts_with(cloud));
            all.filter(|(_, cluster)| cluster.version.starts_with(version) || !cluster.reason.is_empty())
                .map(|(_, cluster)| cluster.clone())
                .collect()
        };
        let waits = |s: &Snapshot| of(s, "gcp").iter().any(|c| c.reason.contains("waits for placement"));
        let seen = daemon.until("the second step waits", waits).await;
        let reason = of(&seen, "gcp").remove(0).reason;
        let expected = "waits for placement fleet-addons/app-web-aws (the steps of application/fleet-addons/web)";
        assert!(reason.starts_with(expected), "{reason}");
        let starts = |s: &Snapshot| of(s, "gcp").iter().any(|c| c.state != ClusterState::Waiting);
        let seen = daemon.until("the second step starts", starts).await;
        assert!(
            of(&seen, "aws").iter().all(|c| c.state == ClusterState::Succeeded && c.version == version),
            "{seen:#?}"
        );
        let is_done = |s: &Snapshot| {
            let large = format!("{version}+large");
            s.writes == 0
                && of(s, "gcp").iter().filter(|c| c.version == large && c.state == ClusterState::Succeeded).count() == 2
        };
        daemon.until("the end", is_done).await;
        for work in works(&world).await {
            let is_large = work["metadata"]["namespace"].as_str().unwrap().starts_with("gcp");
            let replicas = &work["spec"]["workload"]["manifests"][0]["spec"]["replicas"];
            assert_eq!(replicas.as_i64(), Some(if is_large { 4 } else { 2 }), "{work:#}");
        }
        if version == "1.4.0" {
            a_plan_has_the_steps_one_after_the_other(&world);
        }
        world.commit("web 1.5.0", [(FILE.to_owned(), Some(in_steps("1.5.0")))].into());
    }
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn c16_a_cluster_gets_an_application_once_the_add_on_that_it_requires_is_healthy_there() {
    let world = World::settled(CLUSTERS).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.break_works_with("addon-examples:v0.4.1");
    let settings = format!("{}\n[applications]\nenabled = true\n", world.read("main", "tidegate.toml"));
    let web = String::from_utf8(web("1.4.0")).unwrap();
    let web = web.replace("  annotations:\n", "  annotations:\n    tidegate.io/requires: hello-template\n");
    let addon = "fleet/addons/hello-template/addon.yaml";
    let upgraded = world.read("main", addon).replace("hello-template-0.4.0", "hello-template-0.4.1");
    let files = [(FILE, web), ("tidegate.toml", settings), (addon, upgraded)];
    world.commit("both", files.map(|(path, text)| (path.to_owned(), Some(text.into_bytes()))).into());
    let unwell = |s: &Snapshot| s.report.addon("hello-template").is_some_and(|it| it.counts().progressing > 0);
    daemon.until("the add-on is not healthy", unwell).await;
    tokio::time::sleep(std::time::Duration::from_secs(60)).await;
    let seen = daemon.latest();
    let waiting = &seen.report.addon(NAME).unwrap().clusters;
    let reason = "waits for hello-template on this cluster (required by application/fleet-addons/web)";
    assert!(waiting.len() == CLUSTERS && waiting.values().all(|cluster| cluster.reason == reason), "{waiting:#?}");
    assert_eq!(works(&world).await, [] as [Value; 0]);
    world.break_works_with("nothing");
    daemon.until("the installation", is_done("1.4.0")).await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn an_application_is_rolled_out_taken_over_and_removed_beside_the_add_ons() {
    let world = World::settled(CLUSTERS).await;
    let mut daemon = world.daemon("mirror.git").await;
    let installed = installed(&world, &mut daemon).await;
    assert_eq!(installed.len(), CLUSTERS);
    let marks: std::collections::BTreeSet<_> =
        installed.iter().map(|work| work["metadata"]["labels"][INSTANCE_LABEL].to_string()).collect();
    assert_eq!(marks.len(), 1, "{marks:?}");
    daemon.end().await;

    // The next process finds everything as it is, although it knows of applications only once it has read the repository.
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until("the first look", is_done("1.4.0")).await;
    assert_eq!(works(&world).await, installed);
    let written = daemon.metric("tidegate_hub_writes_total");
    world.commit("web 1.5.0", [(FILE.to_owned(), Some(web("1.5.0")))].into());
    let under_way = |s: &Snapshot| s.report.addon(NAME).is_some_and(|web| web.counts().progressing > 0);
    let first = daemon.until("the first clusters", under_way).await;
    assert!(first.report.addon(NAME).unwrap().counts().progressing <= 3);
    daemon.until("the upgrade", is_done("1.5.0")).await;
    world.until_journal("applications/fleet-addons/web/status.yaml", "web@1.5.0").await;
    let generations = works(&world).await;
    assert!(
        generations.iter().all(|work| work["metadata"]["generation"] == 2),
        "each cluster got its content in one write"
    );
    // The other write records that the cluster is done.
    assert_eq!(daemon.metric("tidegate_hub_writes_total") - written, f64::from(u32::try_from(2 * CLUSTERS).unwrap()));

    world.commit("no web", [(FILE.to_owned(), None)].into());
    daemon.until("the removal", |s| s.report.addon(NAME).is_none() && s.writes == 0).await;
    daemon.end().await;
    assert!(works(&world).await.is_empty());
    assert_eq!(world.clusters_with("hello-template").await.len(), CLUSTERS);
    let sealed = world.git(&["ls-tree", "-r", "--name-only", "tidegate/journal", "applications"]);
    assert_eq!(sealed.lines().filter(|file| file.contains("/rollouts/")).count(), 3, "{sealed}");
}

/// The application with an object whose kind work agents may not write.
fn with_rollout() -> Vec<u8> {
    let rollout = "    - name: batches
      type: k8s-objects
      properties:
        objects:
          - apiVersion: standard.oam.dev/v1alpha1
            kind: Rollout
            metadata: {name: nginx-server, namespace: default}
  policies:";
    String::from_utf8(web("1.5.0")).unwrap().replace("  policies:", rollout).into_bytes()
}

/// Lets the agent of a cluster report what a real one does without the right to read Rollouts.
async fn forbid_rollouts(world: &World, work: &Value) {
    let mut status = work["status"].clone();
    for manifest in status["resourceStatus"]["manifests"].as_array_mut().unwrap() {
        let is_rollout = manifest["resourceMeta"]["kind"] == "Rollout";
        for condition in manifest["conditions"].as_array_mut().unwrap() {
            if condition["type"] == "Applied" && is_rollout {
                condition["message"] = json!(
                    "Failed to apply manifest: rollouts.standard.oam.dev \"nginx-server\" is forbidden: User \
                     \"system:serviceaccount:open-cluster-management-agent:klusterlet-work-sa\" cannot get resource \"rollouts\" in API \
                     group \"standard.oam.dev\" in the namespace \"default\""
                );
            } else if condition["type"] == "Applied" {
                condition["status"] = json!("True");
            }
        }
    }
    let (cluster, name) = (&work["metadata"]["namespace"], &work["metadata"]["name"]);
    let (cluster, name) = (cluster.as_str().unwrap(), name.as_str().unwrap());
    let path = format!("/apis/work.open-cluster-management.io/v1/namespaces/{cluster}/manifestworks/{name}/status");
    requests::patch(&world.client(), &path, &json!({ "status": status })).await;
}

#[tokio::test(start_paused = true)]
async fn c21_a_cluster_that_forbids_an_object_is_explained_by_the_missing_right_and_the_role() {
    let world = World::settled(CLUSTERS).await;
    let mut daemon = world.daemon("mirror.git").await;
    installed(&world, &mut daemon).await;
    world.refuse_works_with("standard.oam.dev");
    world.commit("web 1.5.0", [(FILE.to_owned(), Some(with_rollout()))].into());
    let is_refused = |s: &Snapshot| {
        let web = s.report.addon(NAME);
        web.is_some_and(|web| web.clusters.values().filter(|cluster| cluster.reason.contains("rejected")).count() == 3)
    };
    daemon.until("three clusters refuse it", is_refused).await;
    for work in works(&world).await {
        if work["status"].to_string().contains("rejected") {
            forbid_rollouts(&world, &work).await;
        }
    }
    let right = "the work agent may not get rollouts.standard.oam.dev in namespace default, for Rollout default/nginx-server; `tidegate app \
                 permissions fleet-addons/web` prints a ClusterRole that allows it: ";
    let is_explained = |s: &Snapshot| {
        let web = s.report.addon(NAME);
        web.is_some_and(|web| web.clusters.values().filter(|cluster| cluster.reason.contains(right)).count() == 3)
    };
    daemon.until("the right is named", is_explained).await;
    world.until_journal("applications/fleet-addons/web/clusters.yaml", "may not get rollouts.standard.oam.dev").await;
    daemon.end().await;

    let source = world.repository();
    let source = source.to_str().unwrap();
    let run = |arguments: &[&str]| {
        let output = crate::cli::tidegate(&[arguments, &["--source", source]].concat());
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let explained = run(&["explain", NAME]);
    assert!(explained.contains(right), "{explained}");

    // The declarations are read from a directory, and the state from the journal.
    let directory = world.directory.path().join("checkout");
    std::fs::create_dir(&directory).unwrap();
    for (path, bytes) in [("tidegate.toml", b"[applications]\nenabled = true\n".to_vec()), ("web.yaml", with_rollout())]
    {
        std::fs::write(directory.join(path), bytes).unwrap();
    }
    let fleet = world.read("main", "fleet/placements/fleet.yaml");
    std::fs::write(directory.join("fleet.yaml"), fleet).unwrap();
    let path = directory.to_str().unwrap();
    let listed = run(&["app", "list", "--path", path]);
    assert!(listed.contains("fleet-addons/web  1.5.0") && listed.contains("Progressing"), "{listed}");
    let shown = run(&["app", "show", "fleet-addons/web", "--path", path]);
    assert!(shown.contains("14 clusters: aws-001"), "{shown}");
    let status = run(&["app", "status", "fleet-addons/web", "--path", path]);
    assert!(status.contains("server (webservice), batches (k8s-objects)") && status.contains("1.4.0"), "{status}");
    let cluster =
        explained.lines().find_map(|line| line.trim().strip_prefix("clusters")?.trim().split(',').next()).unwrap();
    let on_cluster = run(&["app", "status", "fleet-addons/web", "--cluster", cluster, "--path", path]);
    assert!(on_cluster.contains(&format!("    {cluster}: ")), "{on_cluster}");
    assert!(on_cluster.contains("the works are not shown; name the hub with --kubeconfig"), "{on_cluster}");
    let role = run(&["app", "permissions", "fleet-addons/web", "--path", path]);
    assert!(role.contains("name: tidegate:work:web") && role.contains("- rollouts"), "{role}");
}

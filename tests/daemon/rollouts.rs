//! The effect of a rollout on the hub, and its record in the journal.

use std::collections::BTreeMap;

use serde_json::Value;
use tidegate_daemon::reconciler::Snapshot;
use tidegate_journal::record::SealedRollout;

use super::world::World;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const JOURNAL: &str = "tidegate/journal";

/// Returns the state and version of every cluster in each commit of the journal, oldest first.
fn history(world: &World) -> Vec<BTreeMap<String, (String, String)>> {
    let commits = world.git(&["rev-list", "--reverse", JOURNAL, "--", "addons/hello-template/clusters.yaml"]);
    let list = |commit: &str| {
        let text = world.git(&["show", &format!("{commit}:addons/hello-template/clusters.yaml")]);
        let document: Value = serde_saphyr::from_str(&text).unwrap();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let clusters = document["clusters"].as_object().unwrap().iter();
        clusters.map(|(name, c)| (name.clone(), (text(&c["state"]), text(&c["version"])))).collect()
    };
    commits.lines().map(list).collect()
}

#[tokio::test(start_paused = true)]
async fn no_cluster_starts_before_all_canaries_have_succeeded() {
    let world = World::new(170);
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let settled = daemon.until_settled("0.4.1").await;
    let groups = &settled.report.addons["hello-template"].placements[0].groups;
    let sizes: Vec<usize> = groups.iter().map(|group| group.counts.total).collect();
    assert_eq!(sizes, [10, 150, 10]);
    daemon.end().await;

    // From here on, only the journal is used.
    let canaries: Vec<String> = (1..=5).flat_map(|n| [format!("aws-{n:03}"), format!("gcp-{n:03}")]).collect();
    let history = history(&world);
    let last = history.last().unwrap();
    assert_eq!(last.len(), 170);
    assert!(last.values().all(|(state, version)| state == "Succeeded" && version == "0.4.1"));
    let has = |clusters: &BTreeMap<String, (String, String)>, name: &str, version: &str| {
        clusters.get(name).is_some_and(|(_, has)| has.as_str() >= version)
    };
    let mut seen_canaries_alone = false;
    for version in ["0.4.0", "0.4.1"] {
        for clusters in &history {
            let started =
                clusters.keys().filter(|name| !canaries.contains(name) && has(clusters, name, version)).count();
            let has_succeeded = |name: &String| {
                clusters
                    .get(name)
                    .is_some_and(|(state, has)| has.as_str() > version || (has == version && state == "Succeeded"))
            };
            if started > 0 {
                assert!(
                    canaries.iter().all(has_succeeded),
                    "{started} others have {version} before all canaries succeeded"
                );
            }
            seen_canaries_alone |= started == 0 && canaries.iter().any(|name| has(clusters, name, version));
        }
    }
    assert!(seen_canaries_alone, "the journal shows the canaries on their way");
    let sealed = world.git(&["show", &format!("{JOURNAL}:addons/hello-template/rollouts/2.yaml")]);
    let sealed: SealedRollout = serde_saphyr::from_str(&sealed).unwrap();
    assert_eq!((sealed.rollout.from.as_str(), sealed.rollout.to.as_str()), ("0.4.0", "0.4.1"));
    let first: Vec<Option<i32>> = sealed.clusters.iter().take(10).map(|cluster| cluster.group).collect();
    assert_eq!(first, [Some(0); 10], "the canaries started first");
    let is_canary = |group: Option<i32>| group == Some(0);
    let last_canary = sealed.clusters.iter().filter(|c| is_canary(c.group)).filter_map(|c| c.finished).max().unwrap();
    assert!(sealed.clusters.iter().filter(|c| !is_canary(c.group)).all(|c| c.started.unwrap() >= last_canary));
    let subjects = world.git(&["log", "--format=%s", JOURNAL]);
    let told = "hello-template: 0.4.0 -> 0.4.1 completed, 170/170 clusters";
    assert!(subjects.lines().any(|line| line.starts_with(told)), "{subjects}");
}

#[tokio::test(start_paused = true)]
async fn an_unchanged_fleet_costs_no_write() {
    let world = World::new(40);
    let mut daemon = world.daemon("mirror.git").await;
    let settled = daemon.until_settled("0.4.0").await;
    let writes = daemon.metric("tidegate_hub_writes_total");
    assert!(writes > 0.0);
    // A commit that changes nothing on the hub makes the loop check everything again.
    world.commit("a note", [("fleet/NOTES.md".to_owned(), Some(b"nothing\n".to_vec()))].into());
    let seen = settled.facts.revision.seen.as_ref().unwrap().commit.clone();
    let is_next = |s: &Snapshot| s.facts.revision.seen.as_ref().is_some_and(|r| r.commit != seen);
    let again = daemon.until("the next revision", is_next).await;
    assert_eq!(again.writes, 0);
    assert_eq!(daemon.metric("tidegate_hub_writes_total"), writes);
    daemon.end().await;
    // A new process finds nothing to do either, on the hub or in the journal.
    let tip = world.git(&["rev-parse", JOURNAL]);
    let mut next = world.daemon("other.git").await;
    let ticked = next.until("a tick", |s| s.tick > 0).await;
    assert_eq!((ticked.writes, next.metric("tidegate_hub_writes_total")), (0, 0.0));
    next.end().await;
    assert_eq!(world.git(&["rev-parse", JOURNAL]), tip);
}

#[tokio::test(start_paused = true)]
async fn each_cloud_and_one_cluster_have_their_own_configurations() {
    let world = World::settled(40).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let mut manifests = Vec::new();
    for cluster in ["aws-001", "aws-002", "aws-007", "gcp-001"] {
        let work = world.work(cluster, "managed-serviceaccount").await.unwrap();
        manifests.push(work["spec"]["workload"]["manifests"].to_string().replace(cluster, ""));
    }
    assert_eq!(manifests[0], manifests[1]);
    assert_ne!(manifests[0], manifests[2], "aws-007 has its own configuration");
    assert!(manifests[3].contains("europe-docker.pkg.dev") && !manifests[0].contains("europe-docker.pkg.dev"));
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn objects_that_left_the_repository_are_removed_from_the_hub() {
    let world = World::settled(40).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let templates = "addon.open-cluster-management.io/v1beta1";
    assert!(world.object(templates, "addontemplates", "", "hello-template-0.4.1").await.is_some());
    let removal =
        world.commit("remove a version", [("fleet/addons/hello-template/template-0.4.1.yaml".to_owned(), None)].into());
    let is_seen =
        |s: &Snapshot| s.writes == 0 && s.facts.revision.seen.as_ref().is_some_and(|seen| seen.commit == removal);
    daemon.until("the removal", is_seen).await;
    assert!(world.object(templates, "addontemplates", "", "hello-template-0.4.1").await.is_none());
    assert!(world.object(templates, "addontemplates", "", "hello-template-0.4.0").await.is_some());
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_cluster_that_leaves_the_placement_loses_the_addon_and_one_that_joins_gets_it() {
    let world = World::settled(40).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.label("gcp-020", "fleet", "other").await;
    let has = |clusters: usize| {
        move |s: &Snapshot| s.writes == 0 && s.report.addons["hello-template"].clusters.len() == clusters
    };
    daemon.until("the cluster to leave", has(39)).await;
    assert!(world.work("gcp-020", "hello-template").await.is_none());
    world.label("gcp-020", "fleet", "demo").await;
    daemon.until("the cluster to join", |s| s.report.addons["hello-template"].clusters.len() == 40).await;
    daemon.until_settled("0.4.0").await;
    assert!(world.work("gcp-020", "hello-template").await.is_some());
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_journal_on_the_followed_branch_is_below_status_and_is_not_a_declaration() {
    let world = World::new(20);
    world.edit("tidegate.toml", "branch = \"tidegate/journal\"", "branch = \"main\"");
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let settled = daemon.until_settled("0.4.1").await;
    daemon.end().await;
    assert_eq!(settled.facts.revision.complaints, Vec::<String>::new());
    let readme = world.read("main", "status/README.md");
    assert!(readme.contains("| 0.4.1 |"), "{readme}");
    // The commits of people are still there, and the journal names them as revisions.
    assert!(world.read("main", ADDON).contains("hello-template-0.4.1"));
    let commits = world.git(&["log", "--format=%an %s", "main"]);
    assert!(
        commits.contains("Ada ") && commits.contains("tidegate hello-template: 0.4.0 -> 0.4.1 completed"),
        "{commits}"
    );
}

//! Two hubs that follow one repository: each has a directory, a daemon and a journal of its own. A change goes from one hub to the next by
//! a commit, after `tidegate status --exit-code` of the first one.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use tidegate_daemon::reconciler::{Config, Snapshot};
use tidegate_sandbox::fleet::{self, FleetSpec};

use super::world::{Running, World, empty_hub};
use crate::scratch::tempdir;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

/// Returns the overlay of a hub, with this version of an add-on.
fn overlay(hub: &str, version: &str) -> (String, Option<Vec<u8>>) {
    let text = format!(
        "resources: [../../fleet]\npatches:\n- target: {{kind: ClusterManagementAddOn, name: hello-template}}\n  patch: |\n    - \
         {{op: replace, path: /spec/defaultConfigs/0/name, value: hello-template-{version}}}\n"
    );
    (format!("hubs/{hub}/kustomization.yaml"), Some(text.into_bytes()))
}

/// Returns the first hub and the second one, whose repository is that of the first one.
fn worlds() -> [World; 2] {
    let first = World::new(20);
    let example = crate::example_tree::tree().files;
    let resources: String =
        example.keys().filter_map(|path| path.strip_prefix("fleet/")).map(|path| format!("- {path}\n")).collect();
    let shared = ("fleet/kustomization.yaml".to_owned(), Some(format!("resources:\n{resources}").into_bytes()));
    // Each hub replaces the version: an overlay that changes nothing would be a complaint.
    let addon =
        String::from_utf8(example[ADDON].clone()).unwrap().replace("hello-template-0.4.0", "hello-template-0.0.0");
    let addon = (ADDON.to_owned(), Some(addon.into_bytes()));
    first.commit("hubs", BTreeMap::from([shared, addon, overlay("first", "0.4.0"), overlay("second", "0.4.0")]));
    let hub = empty_hub();
    hub.seed(fleet::cluster_sets()).unwrap();
    hub.seed(fleet::clusters(&FleetSpec { clusters: 30, ..FleetSpec::default() })).unwrap();
    [first, World::around(tempdir(), hub)]
}

async fn daemon([first, world]: [&World; 2], hub: &str) -> Running {
    let (path, journal_branch) = (format!("hubs/{hub}"), Some(format!("tidegate/{hub}")));
    first.daemon_with(world.client(), Config { path, journal_branch, ..first.config(&format!("{hub}.git")) }).await
}

/// Returns the exit code of `tidegate status --exit-code` for a hub.
fn status(repository: &Path, hub: &str) -> i32 {
    let (source, branch) = (repository.to_str().unwrap(), format!("tidegate/{hub}"));
    let output = crate::cli::tidegate(&[
        "status",
        "--exit-code",
        "--source",
        source,
        "--ref",
        "main",
        "--journal-branch",
        &branch,
    ]);
    output.status.code().unwrap()
}

/// Waits until the journal of a hub has recorded a commit in which nothing is under way, and returns the exit code of its status.
async fn settled_status(world: &World, hub: &str, commit: &str) -> i32 {
    let branch = format!("tidegate/{hub}");
    let is_recorded = || world.read(&branch, "sync.yaml").contains(commit);
    super::world::eventually("the commit is in the journal", async || is_recorded()).await;
    loop {
        match status(&world.repository(), hub) {
            4 => tokio::time::sleep(Duration::from_secs(1)).await,
            code => return code,
        }
    }
}

fn started(snapshot: &Snapshot, version: &str) -> usize {
    let clusters = snapshot.report.addons["hello-template"].clusters.values();
    clusters.filter(|cluster| cluster.version == version).count()
}

#[tokio::test(start_paused = true)]
async fn a_change_goes_from_hub_to_hub_by_commits() {
    let [first, second] = worlds();
    let mut one = daemon([&first, &first], "first").await;
    let mut two = daemon([&first, &second], "second").await;
    one.until_settled("0.4.0").await;
    two.until_settled("0.4.0").await;
    let identity = |hub: &str| {
        first
            .read(&format!("tidegate/{hub}"), "sync.yaml")
            .lines()
            .find(|line| line.contains("  id: "))
            .map(str::to_owned)
    };
    assert_ne!(identity("first").unwrap(), identity("second").unwrap(), "each hub has an instance of its own");

    let commit = first.commit("first hub: 0.4.1", [overlay("first", "0.4.1")].into());
    one.until_settled("0.4.1").await;
    assert_eq!(settled_status(&first, "first", commit.as_str()).await, 0);
    assert_eq!(status(&first.repository(), "second"), 0);
    assert_eq!(started(&two.latest(), "0.4.1"), 0, "the second hub has not been asked to change");

    let commit = first.commit("second hub: 0.4.1", [overlay("second", "0.4.1")].into());
    two.until_settled("0.4.1").await;
    assert_eq!(settled_status(&first, "second", commit.as_str()).await, 0);
    assert_eq!((started(&one.latest(), "0.4.1"), started(&two.latest(), "0.4.1")), (20, 30));
    for daemon in [one, two] {
        let (repository, config) = (first.repository(), daemon.audited().unwrap());
        daemon.end_unproven().await;
        crate::audit::approved(&repository, &config);
    }
}

#[tokio::test(start_paused = true)]
async fn a_bad_version_stops_on_the_canaries_of_the_first_hub() {
    let [first, second] = worlds();
    let mut one = daemon([&first, &first], "first").await;
    let mut two = daemon([&first, &second], "second").await;
    one.until_settled("0.4.0").await;
    two.until_settled("0.4.0").await;
    first.break_works_with("v0.4.1");
    let commit = first.commit("first hub: 0.4.1", [overlay("first", "0.4.1")].into());
    one.until("the canaries to time out", |snapshot| snapshot.report.addons["hello-template"].counts().failed > 0)
        .await;
    assert_eq!(settled_status(&first, "first", commit.as_str()).await, 1, "the pipeline does not continue");
    assert_eq!((started(&one.latest(), "0.4.1"), started(&two.latest(), "0.4.1")), (10, 0));
    one.end_unproven().await;
    two.end_unproven().await;
}

#[tokio::test(start_paused = true)]
async fn one_pause_holds_all_hubs() {
    let [first, second] = worlds();
    let mut daemons = [daemon([&first, &first], "first").await, daemon([&first, &second], "second").await];
    for daemon in &mut daemons {
        daemon.until_settled("0.4.0").await;
    }
    let pause = ("control/hello-template.yaml".to_owned(), Some(b"pause: {reason: incident}\n".to_vec()));
    let commit =
        first.commit("both hubs: 0.4.1", [pause, overlay("first", "0.4.1"), overlay("second", "0.4.1")].into());
    for hub in ["first", "second"] {
        let branch = format!("tidegate/{hub}");
        let is_recorded = || first.read(&branch, "sync.yaml").contains(commit.as_str());
        super::world::eventually("the commit is in the journal", async || is_recorded()).await;
    }
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert_eq!(daemons.each_ref().map(|daemon| started(&daemon.latest(), "0.4.1")), [0, 0]);
    first.commit("resume", [("control/hello-template.yaml".to_owned(), None)].into());
    for mut daemon in daemons {
        daemon.until_settled("0.4.1").await;
        daemon.end_unproven().await;
    }
}

//! Attacks on gates by someone who may push and may not approve: nothing of what was pushed reaches a cluster.

use std::collections::BTreeMap;

use serde_json::json;
use tidegate_daemon::reconciler::Snapshot;
use tidegate_model::revision::CommitId;

use super::world::{Running, World};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const PLACEMENT: &str = "fleet/placements/fleet.yaml";
const POLICY: &str = "fleet/policy.yaml";

type Files = BTreeMap<String, Option<Vec<u8>>>;

/// A fleet whose policy wants an approval that no one gives.
struct Guarded {
    world: World,
    daemon: Running,
}

fn policy(selector: &str) -> String {
    format!(
        "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {{name: production}}\nspec:\n  {selector}\n  approvals:\n  \
         - {{name: production, count: 1, of: [bob@example.com]}}\n"
    )
}

fn has_seen(snapshot: &Snapshot, commit: &CommitId) -> bool {
    snapshot.facts.revision.seen.as_ref().is_some_and(|seen| seen.commit == *commit)
}

/// Returns the clusters that have, or are getting, a version.
fn clusters_with(snapshot: &Snapshot, version: &str) -> usize {
    let addons = snapshot.report.addons.values().flat_map(|addon| addon.clusters.values());
    addons.filter(|cluster| cluster.version == version).count()
}

impl Guarded {
    async fn by(policy: String) -> Self {
        let world = World::settled(20).await;
        let mut daemon = world.daemon("mirror.git").await;
        daemon.until_settled("0.4.0").await;
        let commit = world.commit("policy", [(POLICY.to_owned(), Some(policy.into_bytes()))].into());
        daemon.until("the policy is in force", |snapshot| has_seen(snapshot, &commit)).await;
        Self { world, daemon }
    }

    /// Returns a file of the repository after replacements. Each of them changes something.
    fn edited(&self, path: &str, changes: &[(&str, &str)]) -> (String, Option<Vec<u8>>) {
        let text = changes.iter().fold(self.world.read("main", path), |text, (from, to)| {
            assert!(text.contains(from), "{path} does not contain {from:?}");
            text.replace(from, to)
        });
        (path.to_owned(), Some(text.into_bytes()))
    }

    fn upgraded(&self, changes: &[(&str, &str)]) -> (String, Option<Vec<u8>>) {
        let upgrade = ("hello-template-0.4.0 #", "hello-template-0.4.1 #");
        self.edited(ADDON, &[changes, &[upgrade]].concat())
    }

    /// Commits files, and checks that no cluster starts with them, also after the next commit.
    async fn stays_held(mut self, files: Files) {
        self.holds(files).await;
        self.daemon.end().await;
    }

    async fn holds(&mut self, files: Files) {
        for files in [Some(files), None] {
            let files = files.unwrap_or_else(|| {
                let text = self.world.read("main", ADDON) + "# again\n";
                [(ADDON.to_owned(), Some(text.into_bytes()))].into()
            });
            let commit = self.world.commit("attack", files);
            let is_judged = |snapshot: &Snapshot| {
                let addons = snapshot.report.addons.values();
                let waits = addons
                    .clone()
                    .any(|addon| !addon.gates.is_empty() || addon.problem.is_some() || addon.removal.is_some());
                has_seen(snapshot, &commit) && waits
            };
            let snapshot = self.daemon.until("the attack is held", is_judged).await;
            assert_eq!(clusters_with(&snapshot, "0.4.1"), 0, "{:#?}", snapshot.report);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_upgrade_that_renames_the_guarded_group_is_held() {
    let guarded = Guarded::by(policy("selector: {groups: [canary]}")).await;
    let renamed = guarded.edited(PLACEMENT, &[("groupName: canary", "groupName: others")]);
    let upgraded = guarded.upgraded(&[("groupName: canary", "groupName: others")]);
    guarded.stays_held([renamed, upgraded].into()).await;
}

#[tokio::test(start_paused = true)]
async fn incident_d1_an_upgrade_that_also_removes_the_policy_and_renames_its_group_is_held() {
    let guarded = Guarded::by(policy("selector: {groups: [canary]}")).await;
    let renamed = guarded.edited(PLACEMENT, &[("groupName: canary", "groupName: others")]);
    let upgraded = guarded.upgraded(&[("groupName: canary", "groupName: others")]);
    guarded.stays_held([renamed, upgraded, (POLICY.to_owned(), None)].into()).await;
}

/// The policy is about one cluster, which the same commit takes out of it.
#[tokio::test(start_paused = true)]
async fn incident_d1_an_upgrade_that_also_relabels_the_guarded_cluster_does_not_reach_it() {
    let mut guarded = Guarded::by(policy("selector: {clusters: {matchLabels: {cloud: aws}}}")).await;
    let cluster = json!({
        "apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster",
        "metadata": { "name": "aws-006", "labels": { "cloud": "lab" } }, "spec": { "hubAcceptsClient": true },
    });
    let relabeled = ("fleet/clusters/aws-006.yaml".to_owned(), Some(serde_json::to_vec(&cluster).unwrap()));
    let upgraded = guarded.upgraded(&[]);
    let commit = guarded.world.commit("attack", [relabeled, upgraded].into());
    let waits = |snapshot: &Snapshot| {
        let rules = snapshot.report.rules.as_ref().and_then(|rules| rules.waiting.as_ref());
        has_seen(snapshot, &commit) && rules.is_some() && snapshot.writes == 0
    };
    guarded.daemon.until("the change of the rules waits", waits).await;
    tokio::time::sleep(std::time::Duration::from_secs(600)).await;
    let snapshot = guarded.daemon.until("a tick", |snapshot| snapshot.writes == 0).await;
    let clusters = &snapshot.report.addons["hello-template"].clusters;
    let got: Vec<_> = clusters.iter().filter(|(_, cluster)| cluster.version == "0.4.1").map(|(name, _)| name).collect();
    assert!(got.iter().all(|name| name.as_str().starts_with("gcp")), "{got:?}");
    guarded.daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn an_upgrade_that_renames_the_group_and_adds_an_empty_one_of_that_name_is_held() {
    let before = policy("").replace("of: [bob@example.com]", "of: [bob@example.com], before: [canary]");
    let guarded = Guarded::by(before).await;
    let decoy = "      decisionGroups:\n        - groupName: canary\n          groupClusterSelector:\n            labelSelector:\n              \
                 matchLabels: {stage: none}\n        - groupName: others\n";
    let renamed = guarded.edited(PLACEMENT, &[("      decisionGroups:\n        - groupName: canary\n", decoy)]);
    let upgraded = guarded.upgraded(&[("groupName: canary", "groupName: others")]);
    guarded.stays_held([renamed, upgraded].into()).await;
}

#[tokio::test(start_paused = true)]
async fn an_upgrade_after_a_commit_that_renames_the_guarded_group_is_held() {
    let mut guarded = Guarded::by(policy("selector: {groups: [canary]}")).await;
    let renamed = guarded.edited(PLACEMENT, &[("groupName: canary", "groupName: others")]);
    let addon = guarded.edited(ADDON, &[("groupName: canary", "groupName: others")]);
    let commit = guarded.world.commit("rename", [renamed, addon].into());
    guarded.daemon.until("the rename is followed", |snapshot| has_seen(snapshot, &commit)).await;
    let upgraded = guarded.upgraded(&[]);
    guarded.stays_held([upgraded].into()).await;
}

#[tokio::test(start_paused = true)]
async fn an_upgrade_that_chooses_clusters_by_hand_is_held() {
    let guarded = Guarded::by(policy("selector: {placements: [fleet-addons/fleet]}")).await;
    let text = guarded.world.read("main", ADDON).replace("hello-template-0.4.0 #", "hello-template-0.4.1 #");
    let (head, _) = text.split_once("  installStrategy:").unwrap();
    let text = format!("{head}  installStrategy:\n    type: Manual\n");
    guarded.stays_held([(ADDON.to_owned(), Some(text.into_bytes()))].into()).await;
}

#[tokio::test(start_paused = true)]
async fn an_upgrade_that_renames_the_guarded_placement_is_held() {
    let guarded = Guarded::by(policy("selector: {placements: [fleet-addons/fleet]}")).await;
    let renamed = guarded.edited(PLACEMENT, &[("  name: fleet\n", "  name: everyone\n")]);
    let upgraded = guarded.upgraded(&[("        name: fleet\n", "        name: everyone\n")]);
    guarded.stays_held([renamed, upgraded].into()).await;
}

#[tokio::test(start_paused = true)]
async fn an_upgrade_that_adds_a_placement_behind_the_guarded_one_is_held() {
    let guarded = Guarded::by(policy("selector: {placements: [fleet-addons/fleet]}")).await;
    let (_, first) = guarded.edited(PLACEMENT, &[("  name: fleet\n", "  name: everyone\n")]);
    let second = "        name: fleet\n        rolloutStrategy: {type: All}\n      - namespace: fleet-addons\n        name: everyone\n";
    let upgraded = guarded.upgraded(&[("        name: fleet\n", second)]);
    guarded.stays_held([("fleet/placements/everyone.yaml".to_owned(), first), upgraded].into()).await;
}

#[tokio::test(start_paused = true)]
async fn an_upgrade_without_the_policies_is_held_also_if_they_were_removed_before() {
    let guarded = Guarded::by(policy("")).await;
    let upgraded = guarded.upgraded(&[]);
    guarded.stays_held([upgraded, (POLICY.to_owned(), None)].into()).await;

    let mut guarded = Guarded::by(policy("")).await;
    let commit = guarded.world.commit("policy: typo", [(POLICY.to_owned(), None)].into());
    let waits = |snapshot: &Snapshot| {
        let rules = snapshot.report.rules.as_ref().and_then(|rules| rules.waiting.as_ref());
        has_seen(snapshot, &commit) && rules.is_some()
    };
    let snapshot = guarded.daemon.until("the change of the rules waits", waits).await;
    let notice = snapshot.report.notices.join("\n");
    assert!(notice.contains("RolloutPolicy production is removed"), "{notice}");
    let upgraded = guarded.upgraded(&[]);
    guarded.stays_held([upgraded].into()).await;
}

#[tokio::test(start_paused = true)]
async fn an_upgrade_after_a_commit_whose_policy_selects_nothing_is_held_across_a_restart() {
    let mut guarded = Guarded::by(policy("")).await;
    let loose = policy("selector: {addOns: [nothing-*]}");
    guarded.world.commit("policy: typo", [(POLICY.to_owned(), Some(loose.into_bytes()))].into());
    let waits = |snapshot: &Snapshot| snapshot.report.rules.as_ref().is_some_and(|rules| rules.waiting.is_some());
    guarded.daemon.until("the change of the rules waits", waits).await;
    guarded.world.until_journal("sync.yaml", "waiting").await;
    let Guarded { world, daemon } = guarded;
    daemon.end().await;
    let daemon = world.daemon("mirror.git").await;
    let guarded = Guarded { world, daemon };
    let upgraded = guarded.upgraded(&[]);
    guarded.stays_held([upgraded].into()).await;
}

#[tokio::test(start_paused = true)]
async fn a_renamed_add_on_with_the_same_objects_is_held() {
    let guarded = Guarded::by(policy("selector: {addOns: [hello-template]}")).await;
    let addon = guarded.upgraded(&[("metadata:\n  name: hello-template\n", "metadata:\n  name: hello-two\n")]);
    let templates = guarded.world.git(&["ls-tree", "-r", "--name-only", "main", "fleet/addons/hello-template/"]);
    let template = templates.lines().find(|file| file.contains("0.4.1")).unwrap();
    let template = guarded.edited(template, &[("addonName: hello-template", "addonName: hello-two")]);
    guarded.stays_held([addon, template].into()).await;
}

#[tokio::test(start_paused = true)]
async fn an_add_on_that_returns_under_another_name_before_its_removal_is_held_across_a_restart() {
    let mut guarded = Guarded::by(policy("selector: {addOns: [hello-template]}")).await;
    let addon = guarded.upgraded(&[("metadata:\n  name: hello-template\n", "metadata:\n  name: hello-two\n")]);
    let templates = guarded.world.git(&["ls-tree", "-r", "--name-only", "main", "fleet/addons/hello-template/"]);
    let template = templates.lines().find(|file| file.contains("0.4.1")).unwrap();
    let template = guarded.edited(template, &[("addonName: hello-template", "addonName: hello-two")]);
    let is_leaving = |snapshot: &Snapshot| {
        let addons = snapshot.report.addons.iter();
        addons.clone().any(|(name, addon)| name.as_str() == "hello-template" && addon.problem.is_some())
    };
    guarded.world.commit("remove", [(ADDON.to_owned(), None)].into());
    guarded.daemon.until("the removal is held", is_leaving).await;
    let Guarded { world, daemon } = guarded;
    daemon.end().await;
    let mut daemon = world.daemon("mirror.git").await;
    let commit = world.commit("return", [addon, template].into());
    let waits = |snapshot: &Snapshot| {
        let two = snapshot.report.addons.iter().find(|(name, _)| name.as_str() == "hello-two");
        has_seen(snapshot, &commit) && two.is_some_and(|(_, addon)| !addon.gates.is_empty())
    };
    let snapshot = daemon.until("the add-on waits for the approval", waits).await;
    assert_eq!(clusters_with(&snapshot, "0.4.1"), 0, "{:#?}", snapshot.report);
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn labels_and_annotations_of_a_cluster_wait_for_the_approval_of_the_policies() {
    let mut guarded = Guarded::by(policy("selector: {clusters: {matchLabels: {cloud: aws}}}")).await;
    let cluster = |fields: serde_json::Value| {
        let mut cluster = json!({
            "apiVersion": "cluster.open-cluster-management.io/v1",
            "kind": "ManagedCluster",
            "metadata": { "name": "aws-006" },
            "spec": { "hubAcceptsClient": true },
        });
        cluster["metadata"].as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        ("fleet/clusters/aws-006.yaml".to_owned(), Some(serde_json::to_vec(&cluster).unwrap()))
    };
    let registries = json!({
        "open-cluster-management.io/image-registries":
            "{\"registries\":[{\"mirror\":\"evil.example/mirror\",\"source\":\"quay.io/open-cluster-management\"}]}",
    });
    for fields in [json!({ "labels": { "cloud": "lab" } }), json!({ "annotations": registries })] {
        let commit = guarded.world.commit("relabel", [cluster(fields)].into());
        let waits = |snapshot: &Snapshot| {
            let waiting = snapshot.report.rules.as_ref().and_then(|rules| rules.waiting.as_ref());
            has_seen(snapshot, &commit) && waiting.is_some_and(|waiting| waiting.changes.join(" ").contains("aws-006"))
        };
        guarded.daemon.until("the change waits", waits).await;
        guarded.world.commit("more", [("NOTES.md".to_owned(), Some(b"x".to_vec()))].into());
        let ticks = guarded.daemon.until("a tick", |snapshot| snapshot.tick > 0).await.tick;
        guarded.daemon.until("the next ticks", |snapshot| snapshot.tick > ticks + 1).await;
        let path = "/apis/cluster.open-cluster-management.io/v1/managedclusters/aws-006";
        let found = super::world::requests::get(&guarded.world.client(), path).await.unwrap();
        assert_eq!(found["metadata"]["labels"]["cloud"], "aws");
        assert_eq!(found.pointer("/metadata/annotations/open-cluster-management.io~1image-registries"), None);
    }
    guarded.daemon.end().await;
}

/// Someone who may annotate objects of the hub rejects the version in force, and names an old one to go back to.
#[tokio::test(start_paused = true)]
async fn a_rejection_on_the_hub_does_not_choose_what_to_go_back_to() {
    let policy = "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {name: safety}\nspec:\n  \
                  selector: {addOns: [hello-template]}\n  onFailure: {action: Rollback}\n";
    for has_policy in [true, false] {
        let world = World::settled(20).await;
        let mut daemon = world.daemon("mirror.git").await;
        if has_policy {
            world.commit("policy", [("fleet/policy.yaml".to_owned(), Some(policy.as_bytes().to_vec()))].into());
        }
        let old = daemon.until_settled("0.4.0").await.report.addons["hello-template"].last_good.clone().unwrap();
        world.edit("fleet/addons/hello-template/addon.yaml", "hello-template-0.4.0", "hello-template-0.4.1");
        let new = daemon.until_settled("0.4.1").await.report.addons["hello-template"].digest.clone().unwrap();
        for at in ["2027-01-01T12:00:00Z", "2999-01-01T00:00:00Z"] {
            let good = serde_json::json!({ "digest": old.digest, "commit": old.commit });
            let forged = serde_json::json!({ "digest": new, "at": at, "reason": "no", "policy": "RolloutPolicy safety", "good": good });
            let patch =
                serde_json::json!({ "metadata": { "annotations": { "tidegate.io/rejected": forged.to_string() } } });
            let path = "/apis/addon.open-cluster-management.io/v1beta1/clustermanagementaddons/hello-template";
            super::world::requests::patch(&world.client(), path, &patch).await;
            for _ in 0..20 {
                tokio::time::sleep(std::time::Duration::from_secs(2)).await;
                let seen = daemon.until("a tick", |_| true).await;
                assert_eq!(seen.report.addons["hello-template"].version, "0.4.1", "{at} {has_policy}");
            }
        }
        for cluster in world.clusters_with("hello-template").await {
            let work = world.work(&cluster, "hello-template").await.unwrap();
            assert_eq!(work["metadata"]["generation"], 2, "{cluster} keeps what it has");
        }
        daemon.end().await;
    }
}

//! Why two clusters get different manifests: from a clone with declarations and a journal.

use tidegate_journal::{Facts, Journal, entry};
use tidegate_model::followed::RevisionFacts;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_plan::report::{AddonReport, ClusterReport, GroupReport, PlacementReport, Report};

use super::blame_cluster::plain;
use super::clone::Clone;
use super::{session, text, tidegate};
use crate::git_command::git_command;

const SECRET: &str = "      - apiVersion: v1
        kind: Secret
        metadata: {name: key, namespace: hello}
        stringData: {key: 'secret-{{LEVEL}}'}
";

fn cluster(state: ClusterState, version: &str, placement: &str, group: i32) -> ClusterReport {
    ClusterReport {
        joined: None,
        state,
        version: version.to_owned(),
        hash: format!("{:0>12}", version.replace('.', "")),
        group: Some(group),
        placement: format!("fleet/{placement}"),
        started: None,
        since: None,
        reason: if state == ClusterState::Waiting {
            "waits for group 0 (\"canary\")".to_owned()
        } else {
            String::new()
        },
        degraded: None,
        left_out: None,
        reported: None,
        opens: String::new(),
        look_at: None,
    }
}

/// Returns a clone with declarations, and a journal of clusters of both placements.
fn journaled() -> Clone {
    let clone = plain();
    let template = std::fs::read_to_string(std::path::Path::new(clone.root()).join("template.yaml")).unwrap();
    clone.write("template.yaml", &(template + SECRET));
    clone.commit("Ada", "hello: a key");
    let head = git_command(clone.root().as_ref()).args(["rev-parse", "HEAD"]).output().unwrap();
    let head: CommitId = text(&head.stdout).trim().parse().unwrap();

    let placement = |name: &str| PlacementReport {
        placement: format!("fleet/{name}"),
        groups: vec![
            GroupReport { index: 0, name: "canary".to_owned(), ..GroupReport::default() },
            GroupReport { index: 1, ..GroupReport::default() },
        ],
        ..PlacementReport::default()
    };
    let clusters = [
        ("c1", cluster(ClusterState::Succeeded, "1", "aws", 0)),
        ("c2", cluster(ClusterState::Succeeded, "1", "aws", 0)),
        ("c3", cluster(ClusterState::Waiting, "0", "all", 1)),
        ("special", cluster(ClusterState::Succeeded, "1", "aws", 0)),
    ];
    let addon = AddonReport {
        version: "1".to_owned(),
        phase: Phase::Progressing,
        placements: vec![placement("all"), placement("aws")],
        clusters: clusters.map(|(name, report)| (name.parse().unwrap(), report)).into(),
        ..AddonReport::default()
    };
    let report = Report { addons: [("hello".parse().unwrap(), addon.into())].into(), ..Report::default() };
    let addons = [("hello".parse().unwrap(), head)].into();
    let facts = Facts { revision: RevisionFacts { addons, ..RevisionFacts::default() }, ..Facts::default() };
    let entry = entry(&Journal::default(), &report, &facts, Timestamp::UNIX_EPOCH).unwrap().unwrap();
    clone.git("tidegate", &["switch", "-q", "--orphan", "tidegate/journal"]);
    for (path, bytes) in entry.files {
        clone.write(&path, &text(&bytes.unwrap()));
    }
    clone.commit("tidegate", &entry.message);
    clone.git("tidegate", &["switch", "-q", "main"]);
    clone
}

#[test]
fn two_clusters_differ_by_placement_group_configuration_and_values_and_secrets_are_not_shown() {
    let clone = journaled();
    let explain = |pair: [&'static str; 2]| {
        session(&[[&["explain", "hello", "--source", clone.root(), "--why-different"][..], &pair].concat()])
    };
    let pairs = [["c1", "c3"], ["c1", "c2"], ["c1", "special"]].map(explain);
    assert!(!pairs.join("").contains("secret-"), "{pairs:?}");
    insta::assert_snapshot!(pairs.join("\n"));
    insta::assert_snapshot!("mistakes", [["c1", "c1"], ["c1", "c33"], ["c1", "elsewhere"]].map(explain).join("\n"));
    let arguments = ["explain", "hello", "--source", clone.root(), "-o", "json", "--why-different", "c1", "special"];
    let document: serde_json::Value = serde_json::from_slice(&tidegate(&arguments).stdout).unwrap();
    assert_eq!(document["reasons"][0]["what"], "AddOnDeploymentConfig");
    assert_eq!(document["clusters"], serde_json::json!(["c1", "special"]));
}

//! A journal for tests.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tidegate_journal::snapshot::Snapshot;
use tidegate_model::time::Timestamp;
use tidegate_page::{Facts, Moment};

/// The time of the last entry.
pub(crate) const NOW: &str = "2026-11-20T12:00:00Z";

/// A journal as values, to be changed before it is read.
#[derive(Debug, Clone)]
pub(crate) struct Scene(pub BTreeMap<String, Value>);

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn counts(total: usize, [succeeded, progressing, failed, waiting]: [usize; 4]) -> Value {
    json!({"total": total, "succeeded": succeeded, "progressing": progressing, "failed": failed, "waiting": waiting})
}

fn revision(author: &str) -> Value {
    json!({"commit": "a".repeat(40), "subject": "hello: upgrade to 2.0.0", "author": author, "time": "2026-11-20T11:00:00Z",
           "approvedBy": ["Grace <grace@example.com>"]})
}

fn cluster(state: &str, group: i32, version: &str) -> Value {
    json!({"state": state, "version": version, "hash": "0123456789ab", "group": group, "started": "2026-11-20T11:55:00Z",
           "since": "2026-11-20T11:58:00Z"})
}

fn sealed(number: u32, versions: [&str; 2], outcome: &str, hour: u32) -> Value {
    let at = |minute: u32| format!("2026-11-19T{hour:02}:{minute:02}:00Z");
    let member = |name: &str, group: i32, from: u32, to: u32| json!({"cluster": name, "group": group, "started": at(from), "finished": at(to), "state": "Succeeded"});
    json!({"apiVersion": "tidegate.io/v1alpha1", "kind": "Rollout", "addon": "hello", "number": number, "from": versions[0],
        "to": versions[1], "target": format!("{number:012}"), "revision": revision("Ada <ada@example.com>"), "started": at(0),
        "outcome": outcome, "ended": at(40),
        "decisions": [{"approved": {"policy": "RolloutPolicy production", "rule": "leads", "group": "canary", "by": [
            {"person": "grace", "commit": "b".repeat(40), "signer": "grace@example.com", "key": "SHA256:abc", "at": at(5)}]}}],
        "clusters": [member("aws-1", 0, 0, 10), member("aws-2", 1, 10, 40), member("gcp-1", 1, 10, 30)]})
}

impl Scene {
    /// Returns a journal in the middle of a rollout that waits for an approval, with a failed cluster, a quiet add-on and a pull request.
    pub(crate) fn new() -> Self {
        let rollout = json!({"number": 3, "from": "1.1.0", "to": "2.0.0", "target": "000000000003", "digest": "d".repeat(64),
            "revision": revision("Ada <ada@example.com>"), "started": "2026-11-20T11:55:00Z", "outcome": "InProgress"});
        let gate = json!({"gate": "waits for approval \"leads\" before group 1 (\"rest\") (RolloutPolicy production)", "placement": "ns/all", "group": 1, "groupName": "rest",
            "opens": "it is approved (tidegate approve): 1 more person must approve, of grace, linus", "since": "2026-11-20T11:58:00Z", "clusters": 2});
        let approval = json!({"policy": "RolloutPolicy production", "placement": "ns/all", "reached": "2026-11-20T11:58:00Z",
            "rule": "leads", "group": "rest", "state": "open", "need": 1,
            "missing": {"count": 1, "who": ["grace", "linus"], "on": ["https://git.example.com/fleet/pulls/7"]}});
        let groups = json!([{"index": 0, "name": "canary"}, {"index": 1, "name": "rest"}]);
        let groups: Vec<Value> =
            groups.as_array().unwrap().iter().map(|group| merged(group, &counts(2, [1, 0, 1, 0]))).collect();
        let placement = json!({"placement": "ns/all", "strategy": "ProgressivePerGroup", "version": "2.0.0", "configs": [],
            "groups": groups, "message": ""});
        let status = |name: &str, phase: &str, counts: Value| {
            json!({"apiVersion": "tidegate.io/v1alpha1", "kind": "AddonStatus", "addon": name, "version": "2.0.0", "phase": phase,
                "since": "2026-11-20T11:55:00Z", "clusters": counts, "placements": [placement.clone()]})
        };
        let hello = merged(
            &status("hello", "Progressing", counts(4, [1, 0, 1, 2])),
            &json!({"rollout": rollout, "gates": [gate], "approvals": [approval]}),
        );
        let waiting = merged(
            &cluster("Waiting", 1, "1.1.0"),
            &json!({"reason": "waits for approval \"leads\" before group 1 (\"rest\") (RolloutPolicy production)", "opens": "it is approved (tidegate approve): 1 more person must approve, of grace, linus"}),
        );
        let failed = merged(&cluster("Failed", 0, "2.0.0"), &json!({"reason": "ImagePullBackOff"}));
        let list = |name: &str, clusters: Value| json!({"apiVersion": "tidegate.io/v1alpha1", "kind": "ClusterList", "addon": name, "clusters": clusters});
        let clusters =
            json!({"aws-1": cluster("Succeeded", 0, "2.0.0"), "aws-2": failed, "gcp-1": waiting, "gcp-2": waiting});
        let labels = json!({"region": "eu", "cluster.open-cluster-management.io/clusterset": "prod"});
        let fleet = json!({"apiVersion": "tidegate.io/v1alpha1", "kind": "Fleet", "clusters": {
            "aws-1": {"labels": labels, "claims": {"platform": "AWS"}, "kubernetes": "v1.33.1"}, "gcp-1": {"labels": {"region": "us"}}}});
        let sync = json!({"apiVersion": "tidegate.io/v1alpha1", "kind": "Sync", "seen": revision("Ada <ada@example.com>"),
            "applied": "a".repeat(40), "complaints": ["fleet/a.yaml:3:1: unknown field \"x\""], "notices": ["a notice"]});
        let pull = json!({"apiVersion": "tidegate.io/v1alpha1", "kind": "PullRequest", "number": 7,
            "url": "https://git.example.com/fleet/pulls/7", "title": "hello: upgrade to 2.0.0", "state": "open", "head": "c".repeat(40)});
        let files = [
            ("sync.yaml", sync),
            ("fleet.yaml", fleet),
            ("pulls/7.yaml", pull),
            ("addons/hello/status.yaml", hello),
            ("addons/hello/clusters.yaml", list("hello", clusters)),
            ("addons/hello/rollouts/1.yaml", sealed(1, ["", "1.0.0"], "Completed", 8)),
            ("addons/hello/rollouts/2.yaml", sealed(2, ["1.0.0", "1.1.0"], "Completed", 10)),
            ("addons/quiet/status.yaml", status("quiet", "Completed", counts(1, [1, 0, 0, 0]))),
            ("addons/quiet/clusters.yaml", list("quiet", json!({"aws-1": cluster("Succeeded", 0, "2.0.0")}))),
        ];
        Self(files.into_iter().map(|(path, value)| (path.to_owned(), value)).collect())
    }

    /// Returns a journal with many add-ons on many clusters, every fiftieth of which waits.
    pub(crate) fn large(addons: usize, clusters: usize) -> Self {
        let mut scene = Self::new();
        let [status, list] =
            ["addons/hello/status.yaml", "addons/hello/clusters.yaml"].map(|path| scene.0[path].clone());
        for addon in 0..addons {
            let name = format!("addon-{addon:02}");
            let state = |at: usize| if at.is_multiple_of(50) { "Waiting" } else { "Succeeded" };
            let entries = (0..clusters).map(|at| {
                let group = i32::from(at >= clusters / 10);
                (format!("cluster-{at:05}"), cluster(state(at), group, "2.0.0"))
            });
            let entries: serde_json::Map<String, Value> = entries.collect();
            let named = |value: &Value, more: Value| merged(&merged(value, &json!({"addon": name})), &more);
            let numbers = counts(clusters, [clusters - clusters / 50, 0, 0, clusters / 50]);
            scene.0.insert(format!("addons/{name}/status.yaml"), named(&status, json!({"clusters": numbers})));
            scene.0.insert(format!("addons/{name}/clusters.yaml"), named(&list, json!({"clusters": entries})));
        }
        scene
    }

    pub(crate) fn moment() -> Moment {
        Moment { commit: "e".repeat(40).parse().unwrap(), at: at(NOW), subject: "hello: canary done".to_owned() }
    }

    pub(crate) fn facts(&self) -> Facts {
        Facts::read(Self::moment(), self.files(), None)
    }

    /// Returns the files of the journal.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let file = |(path, value): (&String, &Value)| {
            let text = match path.as_str() {
                "fleet.yaml" => serde_json::from_value::<Snapshot>(value.clone()).unwrap().to_yaml(),
                _ => value.to_string(),
            };
            (path.clone(), text.into_bytes())
        };
        let mut files: BTreeMap<String, Vec<u8>> = self.0.iter().map(file).collect();
        files.insert("pulls/7.md".to_owned(), b"## Plan\n\n2 clusters change\n".to_vec());
        files
    }
}

/// Returns an object with the members of another one.
pub(crate) fn merged(object: &Value, more: &Value) -> Value {
    let mut object = object.as_object().unwrap().clone();
    object.extend(more.as_object().unwrap().clone());
    Value::Object(object)
}

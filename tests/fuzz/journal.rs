//! The journal, which anyone may have written who can push.

use std::collections::BTreeMap;

use tidegate_journal::snapshot::Snapshot;
use tidegate_journal::{Journal, clusters};

use super::fuzz;

const SYNC: &str = "apiVersion: tidegate.io/v1alpha1\nkind: Sync\ninstance: {id: 0123456789abcdef, since: 2026-01-01T00:00:00Z}\nterm: 3\n\
    seen: {commit: 0123456789012345678901234567890123456789, subject: s, author: a, time: 2026-01-01T00:00:00Z}\n\
    addons: {hello: 0123456789012345678901234567890123456789}\nhub: {resourceVersion: '7'}\n";
const STATUS: &str = "apiVersion: tidegate.io/v1alpha1\nkind: AddonStatus\naddon: hello\nversion: 0.4.1\nphase: Progressing\n\
    since: 2026-01-01T00:00:00Z\nclusters: {total: 2, waiting: 1, progressing: 1}\nplacements: []\n";
const CLUSTERS: &str = "apiVersion: tidegate.io/v1alpha1\nkind: ClusterList\naddon: \"hello\"\nclusters:\n  \"aws-001\": \
    {state: Succeeded, version: \"0.4.1\", hash: \"1618e4413a84\", group: 0, started: \"2027-01-01T13:00:00Z\", since: \"2027-01-01T13:00:03Z\"}\n";

#[test]
fn documents() {
    let samples = [SYNC, STATUS, CLUSTERS].map(|text| text.as_bytes().to_vec());
    fuzz(&samples, |bytes| {
        let paths = [
            "sync.yaml",
            "addons/hello/status.yaml",
            "addons/hello/clusters.yaml",
            "addons/hello/rollouts/1.yaml",
            "pulls/1.yaml",
        ];
        let files: BTreeMap<String, Vec<u8>> =
            paths.into_iter().map(|path| (path.to_owned(), bytes.to_vec())).collect();
        let journal = Journal::read(files);
        let _facts = (journal.instance(), journal.term(), journal.pull_facts(), journal.report(), journal.readings());
        let _clusters = clusters::read(bytes);
    });
}

#[test]
fn the_record_of_a_fleet() {
    let fleet = "apiVersion: tidegate.io/v1alpha1\nkind: Fleet\nclusters:\n  \"aws-001\": {labels: {\"a\": \"b\"}, available: \"True\"}\n";
    fuzz(&[fleet.as_bytes().to_vec()], |bytes| drop(Snapshot::read(bytes)));
}

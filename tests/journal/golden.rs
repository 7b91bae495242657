//! A journal with every field of every document, kept as bytes: its format must not change, because journals are append-only and are
//! verified years later.

use std::collections::{BTreeMap, BTreeSet};

use tidegate_journal::fleet::FleetFacts;
use tidegate_journal::pulls::PullFacts;
use tidegate_journal::{Facts, Journal, entry, identified};
use tidegate_model::digest::Digest;
use tidegate_model::followed::{RefusedRevision, Revision, RevisionFacts, Rewrite, SignedBy};
use tidegate_model::instance::Instance;
use tidegate_model::progress::{ClusterState, Counts, Phase};
use tidegate_model::revision::CommitId;
use tidegate_model::rewind::Rewind;
use tidegate_model::time::Timestamp;
use tidegate_plan::Hold;
use tidegate_plan::report::{
    AddonReport, ClusterReport, ConfigReport, ConfigVersion, GroupReport, PlacementReport, Report,
};

fn at(minutes: i64) -> Timestamp {
    Timestamp::from_second(1_763_719_200 + minutes * 60).unwrap()
}

fn id(digit: char) -> CommitId {
    digit.to_string().repeat(40).parse().unwrap()
}

fn revision(digit: char) -> Revision {
    Revision {
        commit: id(digit),
        subject: "hello: upgrade | to *0.4.1*".to_owned(),
        author: "Ada".to_owned(),
        committer: "GitHub".to_owned(),
        time: at(0),
        tag: Some("v1.2.3".to_owned()),
        merge: Some("#12".to_owned()),
        approved_by: vec!["Grace <grace@example.com>".to_owned()],
        signature: Some(SignedBy { signer: "ada@example.com".to_owned(), key: "SHA256:abc".to_owned() }),
        reverts: vec![id('e')],
    }
}

fn hold(confirmed_by: Option<CommitId>) -> Hold {
    let held: BTreeSet<String> = ["c8".to_owned(), "c9".to_owned()].into();
    Hold { revision: Some(id('a')), held, limit: 1, total: 9, confirmed_by }
}

fn cluster(state: ClusterState, started: Option<i64>) -> ClusterReport {
    ClusterReport {
        joined: None,
        state,
        version: "0.4.1".to_owned(),
        hash: "0123456789ab".to_owned(),
        group: Some(0),
        placement: "ocm/fleet".to_owned(),
        started: started.map(at),
        since: started.map(at),
        reason: "waits for \"group 0\": 'quoted'".to_owned(),
        reported: started.map(at),
        degraded: Some("deployments a/b is not ready".to_owned()),
        left_out: Some("parked while it is unreachable".to_owned()),
        opens: "all clusters of group 0 are done".to_owned(),
        look_at: Some(at(90)),
    }
}

fn version(name: &str, hash: &str) -> ConfigVersion {
    ConfigVersion { name: name.to_owned(), hash: hash.to_owned() }
}

/// Returns a report with every field, of an add-on that is rolled out to a version.
fn report(to: &str, phase: Phase, clusters: BTreeMap<String, ClusterReport>) -> Report {
    let clusters: BTreeMap<_, _> = clusters.into_iter().map(|(name, report)| (name.parse().unwrap(), report)).collect();
    let counts = Counts::of(clusters.values().map(ClusterReport::counted));
    let placement = PlacementReport {
        placement: "ocm/fleet".to_owned(),
        strategy: "ProgressivePerGroup".to_owned(),
        version: to.to_owned(),
        configs: vec![ConfigReport {
            resource: "addontemplates.addon.open-cluster-management.io".to_owned(),
            desired: version(&format!("hello-{to}"), &to.repeat(4)),
            last_applied: Some(version("hello-0.4.0", "0.4.00.4.0")),
            last_known_good: Some(version("hello-0.3.0", "0.3.00.3.0")),
        }],
        groups: vec![
            GroupReport { index: 0, name: "canary".to_owned(), counts },
            GroupReport { index: 1, name: String::new(), counts: Counts::default() },
        ],
        message: "selected clusters 9. configured addons 1/9 progressing..., 0 failed 0 timeout.".to_owned(),
        waiting: [("waits for group 0 (\"canary\")".to_owned(), 3)].into(),
    };
    let addon = AddonReport {
        version: to.to_owned(),
        digest: Some(Digest::of(to.as_bytes())),
        phase,
        problem: (phase == Phase::Held).then(|| "2 clusters would lose the add-on".to_owned()),
        placements: vec![placement],
        removal: (phase == Phase::Held).then(|| hold(None)),
        clusters,
        ..AddonReport::default()
    };
    Report {
        addons: [("hello".parse().unwrap(), addon.into())].into(),
        notices: vec!["ConfigMap a/b is held".to_owned()],
        hold: Some(hold(Some(id('b')))),
        ..Report::default()
    }
}

fn facts(digit: char) -> Facts {
    let revision = RevisionFacts {
        seen: Some(revision(digit)),
        applied: Some(id(digit)),
        addons: [("hello".parse().unwrap(), id(digit))].into(),
        complaints: vec!["a.yaml:3:1: `spec` is missing".to_owned()],
        unlisted_complaints: 7,
        verified: Some(id(digit)),
        refused: Some(RefusedRevision { revision: revision('f'), reason: "it is not signed".to_owned() }),
        rewritten: Some(Rewrite { from: id('1'), to: id('2'), accepted: true }),
        adopts: vec!["fedcba9876543210".parse().unwrap()],
        ..RevisionFacts::default()
    };
    Facts {
        pulls: PullFacts::default(),
        looked: None,
        revision,
        failures: vec!["ClusterManagementAddOn hello: forbidden".to_owned()],
        notices: Vec::new(),
        hub_version: Some(4_711),
        rewind: Some(Rewind { from: 4_711, to: 42, at: at(3) }),
        fleet: FleetFacts::Unknown,
    }
}

/// Appends the files and the message of one commit.
fn append(text: &mut String, message: &str, files: &BTreeMap<String, Option<Vec<u8>>>) {
    text.push_str(&format!("##### commit\n{message}"));
    for (path, bytes) in files {
        let content =
            bytes.as_ref().map_or("(removed)\n".to_owned(), |bytes| String::from_utf8(bytes.clone()).unwrap());
        text.push_str(&format!("##### {path}\n{content}"));
    }
}

#[test]
fn the_format_of_a_journal_does_not_change() {
    use ClusterState::{Failed, Leaving, Progressing, Removed, Removing, Soaking, Succeeded, TimedOut, Waiting};

    let instance = Instance { id: "0123456789abcdef".parse().unwrap(), name: "fleet | one".to_owned() };
    let mut text = String::new();
    let first = identified(&Journal::default(), &instance, at(0), None).unwrap().unwrap();
    append(&mut text, &first.message, &first.files);

    let states = [Succeeded, Progressing, Soaking, Waiting, Failed, TimedOut, Leaving, Removing];
    let bare = ClusterReport {
        reason: String::new(),
        reported: None,
        degraded: None,
        left_out: None,
        opens: String::new(),
        look_at: None,
        placement: String::new(),
        group: None,
        ..cluster(Succeeded, Some(1))
    };
    let clusters = states.into_iter().enumerate();
    let clusters = clusters.map(|(n, state)| (format!("c{n}"), cluster(state, (state != Waiting).then_some(1))));
    let clusters: BTreeMap<_, _> = clusters.chain([("c9".to_owned(), bare.clone())]).collect();
    let second = entry(&first.journal, &report("0.4.1", Phase::Held, clusters.clone()), &facts('a'), at(5)).unwrap();
    let second = second.unwrap();
    append(&mut text, &second.message, &second.files);
    assert_eq!(Journal::read(second.journal.files.clone()).report(), second.journal.report(), "read back");

    // Every cluster but the last one is done; the removal of that one was confirmed.
    let done = |name: &String| {
        let state = if name == "c7" { Removed } else { Succeeded };
        ClusterReport { state, joined: None, started: Some(at(6)), ..bare.clone() }
    };
    let clusters = clusters.keys().map(|name| (name.clone(), done(name))).collect();
    let third = entry(&second.journal, &report("0.4.1", Phase::Completed, clusters), &facts('b'), at(10)).unwrap();
    let third = third.unwrap();
    append(&mut text, &third.message, &third.files);

    let last = entry(&third.journal, &Report::default(), &facts('c'), at(20)).unwrap().unwrap();
    append(&mut text, &last.message, &last.files);
    insta::assert_snapshot!("journal", text);
}

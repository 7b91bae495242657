//! For every rule of `docs/audit.md`, a journal that breaks it is found, with the commit.

use proptest::prelude::*;
use tidegate::audit::Rule;
use tidegate::audit::commit::Options;
use tidegate_consent::{State, Verdict};
use tidegate_journal::headline;
use tidegate_model::chain::{Content, Signed};
use tidegate_model::digest::Digest;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_plan::report::ApprovalReport;
use tidegate_signature::{SigningKey, Store};

use super::scene::{CLUSTERS, STATUS, Scene, at, cluster, eve, id, identified, journey, report, tidegate};
use super::story::undone;

const SEALED: &str = "addons/hello/rollouts/2.yaml";

#[test]
fn a_journal_as_it_is_written_has_no_findings() {
    let verdict = journey().verified(Options::default());
    assert_eq!(verdict.findings, []);
    assert_eq!((verdict.commits, verdict.ours, verdict.sealed), (9, 9, 6));
}

#[test]
fn a_journal_may_have_digests_from_some_commit_on() {
    use ClusterState::{Progressing, Succeeded};
    let mut scene = journey();
    let entries = [(101, None, Progressing), (102, Some("a"), Progressing), (103, Some("b"), Succeeded)];
    for (minutes, digest, state) in entries {
        let mut next = report("0.4.4", &[("a", cluster(state, "0.4.4", 0, 100))]);
        next.addons.values_mut().for_each(|addon| addon.digest = digest.map(|text| Digest::of(text.as_bytes())));
        scene.tell(minutes, 7, &next);
    }
    assert_eq!(scene.findings(), []);
    let message = &scene.links.last().unwrap().message;
    assert!(message.contains("\nDigest: hello 3e23e8160039\nApproved-by: "), "{message}");
    let last = scene.links.len() - 1;
    scene.links[last].message = message.replace("3e23e8160039", "3e23e8160038");
    assert_eq!(scene.finding(Rule::Trailers, last).commit, scene.links[last].id);
}

#[test]
fn a_merge_on_the_journals_own_branch_is_found() {
    let mut scene = journey();
    scene.links[3].parents.push(id(7));
    scene.finding(Rule::Linear, 3);
    assert_eq!(scene.verified(Options { is_shared: true, ..Options::default() }).findings, []);
}

#[test]
fn a_manual_edit_is_found_with_its_line_and_the_expected_one() {
    let scene = journey().by_hand(&eve(), SEALED, Some(("outcome: Completed", "outcome: Superseded")));
    let finding = scene.finding(Rule::Author, 9);
    assert_eq!(finding.path.as_deref(), Some(SEALED));
    assert!(finding.line.is_some() && finding.expected.as_deref() == Some("`outcome: Completed`"), "{finding}");
    assert!(finding.problem.contains("Eve <eve@example.com>"), "{finding}");
    // A commit that impersonates Tidegate is found by what it changes.
    let forged = journey().by_hand(&tidegate(), SEALED, Some(("outcome: Completed", "outcome: Superseded")));
    assert_eq!(forged.finding(Rule::Sealed, 9).line, finding.line);
}

#[test]
fn a_backdated_commit_is_found() {
    let mut scene = journey();
    scene.links[4].committer.time = at(20);
    assert!(scene.finding(Rule::Time, 4).to_string().contains("before its predecessor"));
    let mut reordered = journey();
    reordered.links.swap(3, 4);
    assert!(!reordered.findings().is_empty());
}

#[test]
fn trailers_that_disagree_with_the_files_are_found() {
    for (from, to) in [("Rollout: hello/2", "Rollout: hello/7"), ("Grace", "Eve"), ("Revision: 0", "Revision: 1")] {
        let mut scene = journey();
        assert!(scene.links[3].message.contains(from), "{}", scene.links[3].message);
        scene.links[3].message = scene.links[3].message.replace(from, to);
        scene.finding(Rule::Trailers, 3);
    }
}

#[test]
fn a_daemon_that_kept_writing_after_an_earlier_one_is_found() {
    let signed = |writers: &[&str]| {
        let mut scene = journey();
        for (link, writer) in scene.links.iter_mut().zip(writers) {
            link.message = headline::with_trailer(&link.message, "Daemon", writer);
        }
        scene
    };
    let (first, second) = ("first since 2026-11-21T09:00:00Z", "second since 2026-11-21T09:30:00Z");
    assert_eq!(signed(&[first, first, second, second, second, first, first, first, first]).findings(), []);
    let finding = signed(&[first, first, second, first, second]).finding(Rule::Rival, 4);
    assert!(finding.problem.contains("second since") && finding.problem.contains("first since"), "{finding}");
}

#[test]
fn a_commit_that_changes_nothing_is_found() {
    let mut scene = journey();
    scene.commit(95, &tidegate(), "nothing\n", [].into());
    scene.finding(Rule::Empty, 9);
}

#[test]
fn a_merge_that_drops_entries_is_found() {
    let mut scene = journey();
    scene.links[5].dropped.push(id(9));
    scene.finding(Rule::Dropped, 5);
}

const OURS: &str = include_str!("../signature/fixtures/ssh_ed25519.key");
const STRANGE: &str = include_str!("../signature/fixtures/ssh_p256.key");

#[test]
fn a_bad_or_missing_signature_is_found() {
    let mut scene = journey();
    let key = |text: &str| SigningKey::read(text).unwrap();
    let (ours, strange) = (key(OURS), key(STRANGE));
    let by = |key: &SigningKey| Some(Signed { payload: b"all".to_vec(), signature: key.sign(b"all").unwrap() });
    scene.links.iter_mut().for_each(|link| link.signed = by(&ours));
    let keys = Store::read(format!("tidegate {}\n", ours.public_key()).as_bytes()).unwrap();
    let options = Options { keys: Some(&keys), ..Options::default() };
    assert_eq!(scene.verified(options).findings, []);
    scene.links[2].signed = by(&strange);
    scene.links[4].signed = None;
    let found = scene.verified(options).findings;
    let found: Vec<_> = found.iter().map(|f| (f.rule, f.commit.clone())).collect();
    assert_eq!(found, [(Rule::Signature, scene.links[2].id.clone()), (Rule::Signature, scene.links[4].id.clone())]);
    // A key may come later, but not go.
    let mut later = scene.clone();
    later.links.iter_mut().take(5).for_each(|link| link.signed = None);
    let verdict = later.verified(options);
    assert_eq!((verdict.findings, verdict.unsigned), (Vec::new(), 5));
    later.links.iter_mut().for_each(|link| link.signed = None);
    let found = later.verified(options).findings;
    assert!(found.len() == 1 && found[0].problem == "no commit of the journal is signed", "{found:?}");
}

#[test]
fn a_file_that_is_not_part_of_a_journal_is_found() {
    for path in ["NOTE.md", "addons/hello/rollouts/02.yaml", "addons/hello/x.yaml", "addons/Hello/status.yaml"] {
        let scene = journey().by_hand(&tidegate(), path, Some(("", "x\n")));
        assert_eq!(scene.finding(Rule::Path, 9).path.as_deref(), Some(path));
    }
    let mut scene = journey();
    scene.links[0].changes[0].after = Content::Unread("it is a symbolic link".to_owned());
    scene.finding(Rule::Path, 0);
}

#[test]
fn a_document_that_does_not_match_its_path_is_found() {
    for (from, to) in
        [("kind: AddonStatus", "kind: Status"), ("addon: hello", "addon: other"), ("phase: ", "phase: Un")]
    {
        scene_has(journey().forge(3, STATUS, from, to), Rule::Document, 3, STATUS);
    }
    let scene = journey().forge(3, CLUSTERS, "state: Succeeded", "state: Sucseeded");
    let finding = scene.finding(Rule::Document, 3);
    assert_eq!((finding.path.as_deref(), finding.line), (Some(CLUSTERS), Some(5)));
}

fn scene_has(scene: Scene, rule: Rule, commit: usize, path: &str) {
    let finding = scene.finding(rule, commit);
    assert_eq!(finding.path.as_deref(), Some(path), "{finding}");
}

#[test]
fn bytes_that_tidegate_does_not_write_are_found() {
    let scene = journey().forge(3, CLUSTERS, "group: 0, ", "group: 0,  ");
    assert_eq!(scene.finding(Rule::Bytes, 3).line, Some(5));
    let scene = journey().forge(3, STATUS, "phase:", "note: by hand\nphase:");
    assert_eq!(scene.finding(Rule::Bytes, 3).problem, "`note: by hand` is not what Tidegate writes");
    let swapped = journey().forge(3, CLUSTERS, "\"a\":", "\"c\":");
    scene_has(swapped, Rule::Bytes, 3, CLUSTERS);
}

#[test]
fn a_page_that_disagrees_with_the_documents_is_found() {
    let scene = journey().forge(3, "README.md", "| 1/2 |", "| 2/2 |");
    let finding = scene.finding(Rule::Page, 3);
    assert!(finding.line.is_some() && finding.expected.as_ref().is_some_and(|e| e.contains("| 1/2 |")), "{finding}");
    scene_has(journey().withhold(3, "README.md"), Rule::Page, 3, "README.md");
}

#[test]
fn a_file_without_its_counterpart_is_found() {
    scene_has(journey().withhold(0, CLUSTERS), Rule::Pair, 0, STATUS);
    scene_has(journey().by_hand(&tidegate(), "sync.yaml", None), Rule::Pair, 9, "sync.yaml");
}

#[test]
fn a_sealed_rollout_that_is_edited_or_removed_is_found() {
    let edited = journey().by_hand(&tidegate(), SEALED, Some(("- cluster: b", "- cluster: c")));
    let finding = edited.finding(Rule::Sealed, 9);
    assert_eq!(finding.path.as_deref(), Some(SEALED));
    assert!(finding.line.is_some() && finding.expected.as_deref() == Some("`- cluster: b`"), "{finding}");
    scene_has(journey().by_hand(&tidegate(), SEALED, None), Rule::Sealed, 9, SEALED);
}

#[test]
fn dropped_commits_are_found_by_the_gap() {
    let mut scene = journey();
    // The upgrade was never recorded: the next rollout follows the installation.
    scene.links.drain(2..5);
    scene.finding(Rule::Number, 2);
    let begun_later = Scene { links: journey().links.split_off(2), ..Scene::default() };
    assert!(!begun_later.findings().is_empty());
}

#[test]
fn the_facts_of_a_rollout_cannot_change() {
    for (from, to) in [("author: Ada", "author: Eve"), ("started: ", "started: \"2026-11-21T09:00:00Z\" # ")] {
        let scene = journey().forge(3, STATUS, from, to);
        scene_has(scene, Rule::Fixed, 3, STATUS);
    }
    for (from, to) in [("cluster: b", "cluster: a"), ("by: ", "by: 0000000000000000000000000000000000000007 # ")] {
        scene_has(undone().forge(5, STATUS, from, to), Rule::Fixed, 5, STATUS);
    }
}

#[test]
fn a_rollout_that_has_ended_cannot_continue() {
    let done = [("a", cluster(ClusterState::Succeeded, "0.4.0", 0, 0))];
    let mut scene = Scene::default();
    scene.tell(1, 1, &report("0.4.0", &done));
    let again = [("a", cluster(ClusterState::Progressing, "0.4.0", 0, 0))];
    scene.tell(6, 1, &report("0.4.0", &again));
    assert_eq!(scene.findings(), []);
    scene_has(scene.forge(1, STATUS, "outcome: Completed", "outcome: InProgress"), Rule::Outcome, 1, STATUS);
}

#[test]
fn a_rollout_that_ends_unsealed_or_is_sealed_wrongly_is_found() {
    scene_has(journey().withhold(4, SEALED), Rule::Seal, 4, STATUS);
    scene_has(journey().withhold(6, "addons/hello/rollouts/3.yaml"), Rule::Seal, 6, STATUS);
    scene_has(journey().withhold(8, "addons/hello/rollouts/5.yaml"), Rule::Seal, 8, STATUS);
    let scene = journey().forge(4, SEALED, "- cluster: b", "- cluster: c");
    let finding = scene.finding(Rule::Seal, 4);
    assert_eq!(finding.expected.as_deref(), Some("`- cluster: b`"));
    scene_has(journey().forge(4, SEALED, "author: Ada", "author: Eve"), Rule::Seal, 4, SEALED);
}

#[test]
fn a_reason_in_a_sealed_rollout_is_the_one_that_was_journaled() {
    const FIRST: &str = "addons/hello/rollouts/1.yaml";
    let mut scene = Scene::default();
    let mut failing = report("0.4.0", &[("a", cluster(ClusterState::TimedOut, "0.4.0", 0, 0))]);
    let addon = failing.addons.get_mut("hello").unwrap();
    (addon.phase, addon.problem) = (Phase::Stopped, Some("too many failed".to_owned()));
    scene.tell(5, 1, &failing);
    scene.tell(9, 2, &report("0.3.0", &[("a", cluster(ClusterState::Progressing, "0.3.0", 0, 8))]));
    assert_eq!(scene.findings(), []);
    let forge = |from: &str, to: &str| scene.clone().forge(1, FIRST, from, to);
    scene_has(forge("reason: its works are not applied", "reason: it was fine"), Rule::Seal, 1, FIRST);
    scene_has(forge("too many failed", "nothing failed"), Rule::Seal, 1, FIRST);
    let without = forge("problem: too many failed\n", "").forge(1, FIRST, "  reason: its works are not applied\n", "");
    scene_has(without, Rule::Seal, 1, FIRST);
}

#[test]
fn a_rollout_is_completed_only_by_all_clusters() {
    scene_has(journey().forge(4, SEALED, "state: Succeeded", "state: Failed"), Rule::Completed, 4, SEALED);
    scene_has(journey().forge(3, STATUS, "phase: Progressing", "phase: Completed"), Rule::Completed, 3, STATUS);
}

#[test]
fn counts_that_disagree_with_the_clusters_are_found() {
    scene_has(journey().forge(3, STATUS, "succeeded: 1", "succeeded: 2"), Rule::Counts, 3, STATUS);
    scene_has(journey().forge(3, CLUSTERS, "state: Waiting", "state: Failed"), Rule::Counts, 3, STATUS);
}

#[test]
fn a_cluster_that_is_done_without_a_start_is_found() {
    // Only the state is edited.
    let scene = journey().forge(3, CLUSTERS, "state: Waiting", "state: Succeeded");
    let finding = scene.finding(Rule::Started, 3);
    assert_eq!((finding.path.as_deref(), finding.line), (Some(CLUSTERS), Some(6)));
    // Another configuration without its own start time, or with an impossible one.
    let line = "started: \"2026-11-21T10:40:00Z\", ";
    assert_eq!(journey().forge(4, CLUSTERS, line, "").finding(Rule::Started, 4).line, Some(6));
    let early = journey().forge(4, CLUSTERS, line, "started: \"2026-11-21T10:10:00Z\", ");
    assert!(early.finding(Rule::Started, 4).problem.contains("the previous commit is later and does not report it"));
}

#[test]
fn a_time_that_goes_backward_is_found() {
    let scene = journey().forge(3, CLUSTERS, "started: \"2026-11-21T10:30:00Z\"", "started: \"2026-11-21T10:20:00Z\"");
    assert_eq!(scene.finding(Rule::Backwards, 3).line, Some(5));
    // A cluster is not done before it starts, not even by a second.
    let early = journey().forge(3, CLUSTERS, "since: \"2026-11-21T10:30:30Z\"", "since: \"2026-11-21T10:29:59Z\"");
    assert_eq!(early.finding(Rule::Backwards, 3).line, Some(5));
    let early = journey().forge(4, SEALED, "finished: \"2026-11-21T10:30:30Z\"", "finished: \"2026-11-21T10:29:59Z\"");
    assert!(early.finding(Rule::Backwards, 4).problem.contains("a finished at"));
    let ended = journey().forge(4, SEALED, "ended: \"2026-11-21T10:40:30Z\"", "ended: \"2026-11-21T10:10:30Z\"");
    scene_has(ended, Rule::Backwards, 4, SEALED);
}

#[test]
fn a_time_after_its_commit_is_found() {
    let scene = journey().forge(3, CLUSTERS, "since: \"2026-11-21T10:30:30Z\"", "since: \"2026-11-21T11:30:30Z\"");
    assert_eq!(scene.finding(Rule::Future, 3).line, Some(5));
}

#[test]
fn a_cluster_that_is_done_and_waits_is_found() {
    let scene = journey().forge(3, CLUSTERS, "state: Waiting", "state: Succeeded");
    assert_eq!(scene.finding(Rule::Settled, 3).line, Some(6));
}

#[test]
fn an_unreadable_document_is_only_one_finding() {
    let findings = journey().forge(3, STATUS, "kind: ", "kind: [").findings();
    assert_eq!(findings.len(), 1, "{findings:#?}");
}

#[test]
fn several_entries_in_one_commit_are_accepted() {
    let mut scene = journey();
    // Combine commits 2 to 4 into one, as after hours without a remote.
    let later: Vec<_> = scene.links.drain(3..5).collect();
    for link in later {
        for change in link.changes {
            scene.links[2].changes.retain(|earlier| earlier.path != change.path);
            scene.links[2].changes.push(change);
        }
        scene.links[2].author.time = link.author.time;
        scene.links[2].message = headline::gathered(&link.message);
    }
    assert_eq!(scene.findings(), []);
}

#[test]
fn a_finding_is_one_line() {
    let scene = journey().by_hand(&eve(), "NOTE\nx.md", Some(("", "x\n")));
    assert!(scene.findings().iter().all(|finding| !finding.to_string().contains('\n')));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Whatever is written into a file, the audit terminates. `every_field` has what it must find.
    #[test]
    fn any_written_byte_is_handled(commit in 0_usize..9, file in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), byte: u8) {
        let mut scene = journey();
        let change = file.get(scene.links[commit].changes.as_slice()).path.clone();
        let change = scene.links[commit].changes.iter_mut().find(|c| c.path == change).unwrap();
        if let Content::File(bytes) = &mut change.after {
            let place = at.index(bytes.len());
            bytes[place] = byte;
        }
        scene.findings();
    }
}

#[test]
fn a_cluster_that_is_no_longer_listed_without_a_reason_is_found() {
    let mut scene = identified();
    let c = ("c", cluster(ClusterState::Succeeded, "0.4.0", 1, 0));
    scene.tell(2, 1, &report("0.4.0", &[("a", cluster(ClusterState::Succeeded, "0.4.0", 0, 0)), c]));
    assert_eq!(scene.findings(), []);
    let listed = String::from_utf8(scene.files[CLUSTERS].clone()).unwrap();
    let line = listed.lines().find(|line| line.contains("\"b\": {state: Removed")).unwrap();
    let line = format!("{line}\n");
    // A removed cluster may disappear from the list, but one that still has the add-on may not.
    let dropped = identified().by_hand(&tidegate(), CLUSTERS, Some((line_of(&identified(), "b").as_str(), "")));
    let finding = dropped.finding(Rule::Removed, 1);
    assert!(finding.problem.contains("cluster b, which was Succeeded, is no longer listed"), "{finding}");
    let later = scene.by_hand(&tidegate(), CLUSTERS, Some((line.as_str(), "")));
    assert!(later.findings().iter().all(|finding| finding.rule != Rule::Removed), "{:?}", later.findings());
}

fn line_of(scene: &Scene, name: &str) -> String {
    let listed = String::from_utf8(scene.files[CLUSTERS].clone()).unwrap();
    let line = listed.lines().find(|line| line.starts_with(&format!("  \"{name}\":"))).unwrap();
    format!("{line}\n")
}

#[test]
fn a_changed_identity_is_found() {
    let forged = identified().by_hand(&tidegate(), "sync.yaml", Some(("0123456789abcdef", "fedcba9876543210")));
    let finding = forged.finding(Rule::Instance, 1);
    assert!(finding.expected.as_ref().is_some_and(|wanted| wanted.contains("0123456789abcdef")), "{finding}");
}

#[test]
fn every_rule_has_a_row_and_every_row_has_a_test() {
    let document = std::fs::read_to_string("docs/audit.md").unwrap();
    let tests =
        ["tampering", "unapproved"].map(|name| std::fs::read_to_string(format!("tests/audit/{name}.rs")).unwrap());
    let tests = tests.concat();
    let rules = std::fs::read_to_string("src/audit/finding.rs").unwrap();
    let list = rules.split("pub enum Rule {").nth(1).unwrap().split("\n}").next().unwrap();
    let names = list.lines().map(str::trim).filter(|line| line.ends_with(',')).map(|line| line.trim_end_matches(','));
    let names: Vec<String> = names.map(str::to_lowercase).collect();
    assert!(names.len() > 20);
    for name in names {
        let row = document.lines().find(|line| line.starts_with(&format!("| {name} |")));
        let row = row.unwrap_or_else(|| panic!("docs/audit.md has no row for {name}"));
        let test = row.split('`').rev().nth(1).unwrap();
        assert!(
            tests.contains(&format!("fn {test}(")),
            "docs/audit.md names {test} for {name}, but there is no such test"
        );
    }
}

#[test]
fn a_decision_that_the_status_does_not_show_is_found() {
    let digest = "d".repeat(64);
    let invented = format!(
        "  decisions:\n  - rejected:\n      policy: RolloutPolicy safety\n      digest: {digest}\n      reason: it failed\n"
    );
    let scene = journey().forge(3, STATUS, "  started: ", &format!("{invented}  started: "));
    assert!(scene.finding(Rule::Gate, 3).problem.contains("has a decision that neither"), "{:?}", scene.findings());
}

#[test]
fn a_parse_error_is_reported_in_plain_words_with_the_field() {
    for (path, from, to, told) in [
        ("sync.yaml", "author: Ada", "author: null", "author: a string is expected, but the value is null"),
        (STATUS, "phase: Progressing", "phase: Done", "\"Done\" is not one of Completed"),
        (STATUS, "total: 2", "total: many", "total: a whole number is expected"),
        (STATUS, "kind: AddonStatus\n", "", "the field kind is missing"),
        (CLUSTERS, "state: Waiting", "state: null", "it cannot be read: "),
    ] {
        let finding = journey().forge(2, path, from, to).finding(Rule::Document, 2);
        assert!(finding.problem.contains(told), "{finding}");
        assert!(!finding.problem.contains("Option<") && !finding.problem.contains("struct"), "{finding}");
    }
}

#[test]
fn a_start_before_its_gate_was_open_is_found() {
    use ClusterState::{Progressing, Waiting};
    let approval = |state, group: Option<&str>, breaks_glass| ApprovalReport {
        placement: "default/hello".to_owned(),
        policy: "RolloutPolicy production".to_owned(),
        breaks_glass,
        reached: None,
        selects_clusters: false,
        verdict: Verdict {
            rule: "prod".to_owned(),
            group: group.map(str::to_owned),
            state,
            need: 1,
            have: Vec::new(),
            missing: None,
            void: Vec::new(),
            expires: None,
        },
    };
    let told = |approvals: [Option<ApprovalReport>; 2]| {
        let mut scene = journey();
        let clusters = [cluster(Waiting, "0.4.3", 0, 70), cluster(Progressing, "0.4.4", 0, 102)];
        for ((minutes, cluster), approval) in [101, 102].into_iter().zip(clusters).zip(approvals) {
            let mut next = report("0.4.4", &[("a", cluster)]);
            next.addons.values_mut().for_each(|addon| addon.approvals = approval.iter().cloned().collect());
            scene.tell(minutes, 7, &next);
        }
        let found = scene.findings().into_iter().filter(|finding| finding.rule == Rule::Gate);
        found.map(|finding| finding.problem).collect::<Vec<_>>()
    };
    let open = || Some(approval(State::Open, None, false));
    let met = || Some(approval(State::Met, None, false));
    assert_eq!(
        told([open(), open()]),
        ["cluster a: it started, but prod of RolloutPolicy production was not approved"]
    );
    assert_eq!(told([None, open()]).len(), 1);
    assert!(told([open(), met()]).is_empty(), "it was approved in between");
    assert!(told([met(), open()]).is_empty(), "it was approved until then");
    assert!(told([open(), None]).is_empty(), "no approval is needed any more");
    assert!(told([None, Some(approval(State::Open, Some("rest"), false))]).is_empty(), "another group");
    assert_eq!(told([None, Some(approval(State::Open, Some("0"), false))]).len(), 1, "a group without a name");
    assert!(told([None, Some(approval(State::Open, None, true))]).is_empty(), "to break the glass is not needed");
    let of_some = ApprovalReport { selects_clusters: true, ..approval(State::Open, None, false) };
    assert!(told([None, Some(of_some)]).is_empty(), "the policy may not select the cluster");
}

//! Which commits added and withdrew an approval, in histories with branches and merges.

use std::collections::BTreeMap;

use tidegate_consent::file::{Evidence, Trail, facts};
use tidegate_consent::{Fact, Signature, Written};
use tidegate_model::chain::{Content, FileVersion};
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;

use super::builder::{at, commit};

const PATH: &str = "approvals/istio/9c1e0d2f6ab4-rest.yaml";

/// Returns a file with the approvals of these people.
fn file(people: &[&str]) -> Content {
    let head = "apiVersion: tidegate.io/v1alpha1\nkind: Approval\naddon: istio\ndigest: 9c1e0d2f6ab41f0c27a3b5d9e6f708112233445566778899aabbccddeeff0011\n\
                group: rest\napprovals:\n";
    let entry = |by: &&str| format!("- {{by: {by}, at: '2026-11-23T10:00:00Z', instance: '0000000000000007'}}\n");
    Content::File(format!("{head}{}", people.iter().map(entry).collect::<String>()).into_bytes())
}

fn version(number: u64, after: &Content, before: &[Content]) -> FileVersion {
    FileVersion {
        commit: commit(number),
        path: PATH.to_owned(),
        after: after.clone(),
        before: before.to_vec(),
        is_cut: false,
    }
}

/// Returns the approvals in the last version.
fn found(versions: &[FileVersion], now: &Content) -> Vec<Fact> {
    let mut trail = Trail::default();
    versions.iter().for_each(|version| trail.add(version));
    let mut tree = Tree::default();
    if let Content::File(bytes) = now {
        tree.files.insert(PATH.to_owned(), bytes.clone());
    }
    let evidence = |commit: CommitId| {
        let written = Written { by: String::new(), is_again: false, has_only_approvals: true };
        let (committed, signature) = (at("10:00:00"), Signature::Missing);
        (commit, Evidence { committed, seen: None, signature, written })
    };
    let evidence: BTreeMap<CommitId, Evidence> = (0..9).map(|number| evidence(commit(number))).collect();
    facts(&tree, &trail, &evidence)
}

/// Returns the commits that added the approval of a person, and the one that withdrew it.
fn of(facts: &[Fact], by: &str) -> (Vec<CommitId>, Option<CommitId>) {
    let fact = facts.iter().find(|fact| fact.by == by).unwrap();
    (fact.added.iter().map(|addition| addition.commit.clone()).collect(), fact.withdrawn.clone())
}

#[test]
fn the_commit_that_adds_an_entry_is_the_first_with_it() {
    let (none, one, two) = (Content::Gone, file(&["ada"]), file(&["ada", "bob"]));
    let facts = found(&[version(2, &two, std::slice::from_ref(&one)), version(1, &one, &[none])], &two);
    assert_eq!(of(&facts, "ada"), (vec![commit(1)], None));
    assert_eq!(of(&facts, "bob"), (vec![commit(2)], None));
}

#[test]
fn a_merge_adds_only_what_is_in_neither_branch() {
    let (none, one, two) = (Content::Gone, file(&["ada"]), file(&["ada", "mallory"]));
    let versions = [version(2, &two, &[one.clone(), none.clone()]), version(1, &one, &[none])];
    let facts = found(&versions, &two);
    assert_eq!(of(&facts, "ada"), (vec![commit(1)], None));
    assert_eq!(of(&facts, "mallory"), (vec![commit(2)], None));
}

#[test]
fn two_branches_may_add_the_same_entry() {
    let (none, one) = (Content::Gone, file(&["ada"]));
    let versions = [version(2, &one, std::slice::from_ref(&none)), version(1, &one, &[none])];
    assert_eq!(of(&found(&versions, &one), "ada"), (vec![commit(1), commit(2)], None));
}

#[test]
fn a_withdrawn_entry_does_not_come_back() {
    let (none, one) = (Content::Gone, file(&["ada"]));
    // Added, removed, and added again with the same time.
    let versions = [
        version(3, &one, std::slice::from_ref(&none)),
        version(2, &none, std::slice::from_ref(&one)),
        version(1, &one, std::slice::from_ref(&none)),
    ];
    assert_eq!(of(&found(&versions, &one), "ada").1, Some(commit(2)));
    // Removed on one branch, and kept by a merge with another one.
    let versions = [
        version(3, &one, &[none.clone(), one.clone()]),
        version(2, &none, std::slice::from_ref(&one)),
        version(1, &one, std::slice::from_ref(&none)),
    ];
    assert_eq!(of(&found(&versions, &one), "ada").1, Some(commit(2)));
    // A removed entry is still reported.
    assert_eq!(of(&found(&versions[1..], &none), "ada"), (vec![commit(1)], Some(commit(2))));
}

#[test]
fn an_edited_entry_is_another_one() {
    let (none, one) = (Content::Gone, file(&["ada"]));
    let edit = |from: &str, to: &str| {
        let Content::File(bytes) = &one else { panic!() };
        Content::File(String::from_utf8(bytes.clone()).unwrap().replace(from, to).into_bytes())
    };
    for (from, to) in [
        ("10:00:00", "10:00:01"),
        ("0000000000000007", "0000000000000008"),
        ("9c1e0d2f6ab4", "9c1e0d2f6ab5"),
        ("group: rest", "group: all"),
        ("by: ada", "by: ada, reason: no"),
        ("by: ada", "by: ada, breakGlass: true"),
    ] {
        let edited = edit(from, to);
        let versions = [version(2, &edited, std::slice::from_ref(&one)), version(1, &one, std::slice::from_ref(&none))];
        let facts = found(&versions, &edited);
        let current = facts.iter().find(|fact| fact.withdrawn.is_none()).unwrap();
        assert_eq!(current.added[0].commit, commit(2), "{to}");
        assert_eq!(facts.len(), 2, "{to}");
    }
    // A change of the notation alone is not one.
    let quoted = edit("by: ada", "by: \"ada\"");
    let versions = [version(2, &quoted, std::slice::from_ref(&one)), version(1, &one, &[none])];
    assert_eq!(of(&found(&versions, &quoted), "ada"), (vec![commit(1)], None));
}

#[test]
fn nothing_is_known_of_what_a_shallow_history_has_at_its_end() {
    let one = file(&["ada"]);
    let cut = FileVersion { is_cut: true, before: Vec::new(), ..version(1, &one, &[]) };
    assert_eq!(of(&found(&[cut], &one), "ada"), (Vec::new(), None));
}

#[test]
fn what_is_not_a_regular_file_or_malformed_has_no_entries() {
    let one = file(&["ada"]);
    for other in [Content::Unread("it is a symbolic link".to_owned()), Content::File(b"approvals: [".to_vec())] {
        let versions = [version(2, &other, std::slice::from_ref(&one)), version(1, &one, &[Content::Gone])];
        let facts = found(&versions, &other);
        assert_eq!(of(&facts, "ada").1, Some(commit(2)));
    }
}

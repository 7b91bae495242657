//! Tests of what commit messages say about approval.

use proptest::prelude::*;
use tidegate_consent::approval::{Merge, read, trailers};

fn keys_and_values(message: &str) -> Vec<(String, String)> {
    trailers(message).into_iter().map(|trailer| (trailer.key, trailer.value)).collect()
}

#[test]
fn people_are_listed_by_trailer() {
    let found = read(
        "web: three replicas\n\nBecause of the load.\n\nReviewed-by: Ada <ada@example.com>\nreviewed-BY: Bea <bea@example.com>\n\
         Approved-by: Cy\nAcked-by: Di\nSigned-off-by: Ed\nChange-Id: I1\nReviewed-by:\n",
    );
    assert_eq!(found.reviewed_by, ["Ada <ada@example.com>", "Bea <bea@example.com>"]);
    assert_eq!(found.approved_by, ["Cy"]);
    assert_eq!(found.acked_by, ["Di"]);
    assert_eq!(found.signed_off_by, ["Ed"]);
    assert_eq!((found.merge, found.revert), (None, None));
}

#[test]
fn only_the_last_paragraph_has_trailers() {
    assert!(read("title\n\nReviewed-by: Ada\n\nAnd more text.\n").reviewed_by.is_empty());
    assert!(read("Reviewed-by: Ada\n").reviewed_by.is_empty());
    assert!(read("title\nReviewed-by: Ada\n").reviewed_by.is_empty());
    assert_eq!(read("title\r\n\r\nReviewed-by: Ada\r\n\r\n \r\n").reviewed_by, ["Ada"]);
}

#[test]
fn a_paragraph_of_prose_has_no_trailers() {
    assert!(read("title\n\nSee below:\nReviewed-by: Ada\nand so on\n").reviewed_by.is_empty());
    // Git wrote one of the lines, so one trailer in four is enough.
    assert_eq!(read("title\n\none\ntwo\nthree\nSigned-off-by: Ada\n").signed_off_by, ["Ada"]);
    assert!(read("title\n\none\ntwo\nthree\nfour\nSigned-off-by: Ada\n").signed_off_by.is_empty());
    assert_eq!(read("title\n\n(cherry picked from commit 1234)\ntext\nReviewed-by: Ada\n").reviewed_by, ["Ada"]);
}

#[test]
fn values_continue_on_indented_lines() {
    assert_eq!(
        keys_and_values("title\n\nReviewed-by: Ada\n  <ada@example.com>\n# remark\nFixes : 12\n"),
        [("Reviewed-by".to_owned(), "Ada <ada@example.com>".to_owned()), ("Fixes".to_owned(), "12".to_owned())]
    );
    assert_eq!(keys_and_values("title\n\n  indented\nReviewed-by: Ada\n"), []);
}

#[test]
fn merge_messages_of_all_forges_are_parsed() {
    let text = |text: &str| Some(text.to_owned());
    let request = |title: Option<&str>, branch: Option<&str>, target: Option<&str>| {
        Some(Merge::PullRequest {
            number: 12,
            title: title.map(str::to_owned),
            branch: branch.map(str::to_owned),
            target: target.map(str::to_owned),
        })
    };
    let of = |message: &str| read(message).merge;
    assert_eq!(
        of("Merge pull request #12 from ada/topic\n\nThe title\n"),
        request(Some("The title"), Some("ada/topic"), None)
    );
    assert_eq!(of("The title (#12)\n\nbody\n"), Some(Merge::Squash { number: 12, title: "The title".to_owned() }));
    assert_eq!(
        of("Merge branch 'topic' into 'main'\n\nThe title\n\nSee merge request group/sub/project!34\n"),
        Some(Merge::MergeRequest {
            number: 34,
            project: "group/sub/project".to_owned(),
            branch: text("topic"),
            target: text("main")
        })
    );
    assert_eq!(
        of("Merge pull request 'It's (#1) here' (#12) from ada/topic into main\n"),
        request(Some("It's (#1) here"), Some("ada/topic"), Some("main"))
    );
    assert_eq!(of("Merged in topic (pull request #12)\n\nThe title\n"), request(None, Some("topic"), None));
    assert_eq!(of("Merged PR 12: The title\n"), request(Some("The title"), None, None));
    let branch = |branch: &str, target: Option<&str>| {
        Some(Merge::Branch { branch: branch.to_owned(), target: target.map(str::to_owned) })
    };
    assert_eq!(of("Merge branch 'topic'\n"), branch("topic", None));
    assert_eq!(of("Merge branch 'topic' into release\n"), branch("topic", Some("release")));
    assert_eq!(of("Merge remote-tracking branch 'origin/main' into topic\n"), branch("origin/main", Some("topic")));
    assert_eq!(of("Merge branch 'topic' of https://git.example.com/x into main\n"), branch("topic", Some("main")));
}

#[test]
fn a_merge_is_displayed_with_its_kind_and_number() {
    for (message, words, number) in [
        ("Merge pull request #12 from a/b", "pull request #12", Some(12)),
        ("t (#7)", "pull request #7", Some(7)),
        ("t\n\nSee merge request g/p!3", "merge request g/p!3", Some(3)),
        ("Merge branch 'x'", "branch x", None),
    ] {
        let merge = read(message).merge.unwrap();
        assert_eq!((merge.to_string().as_str(), merge.number()), (words, number));
    }
}

#[test]
fn an_ordinary_subject_is_not_a_merge() {
    for message in [
        "",
        "title (12)",
        "(#12)",
        "title (#12) and more",
        "title (#99999999999999999999999)",
        "Merge pull request #12from x",
        "Merge pull request #x from y",
        "Merge branch topic",
        "See merge requests",
        "Merged in",
    ] {
        assert_eq!(read(message).merge, None, "{message:?}");
    }
}

#[test]
fn all_reverted_commits_are_found() {
    let (a, b) = ("a".repeat(40), "b".repeat(64));
    let found = read(&format!(
        "Revert \"web: say \"hello\"\"\n\nThis reverts commit {a}.\nThis reverts commit {b}, reversing\nchanges made to x.\n\
         This reverts commit {a}.\nThis reverts commit abc123.\n"
    ));
    let revert = found.revert.unwrap();
    assert_eq!(revert.title.as_deref(), Some("web: say \"hello\""));
    assert_eq!(revert.commits.iter().map(|commit| commit.as_str().to_owned()).collect::<Vec<_>>(), [a, b]);
    assert_eq!(read("Revert \"\n").revert, None);
    assert!(read("Revert \"x\" (#12)\n").revert.is_some_and(|revert| revert.title.as_deref() == Some("x")));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_message_causes_a_panic(message in any::<String>(), rest in "(Merge|Merged|Revert|See|This| |pull request|branch|in|'|\"|#|!|[(]|[)]|[0-9]|\n|:|é){0,30}") {
        let _ = read(&message);
        let _ = read(&rest);
    }

    #[test]
    fn written_trailers_are_parsed_back(
        title in "[A-Za-z(][A-Za-z ]{0,20}",
        body in prop::collection::vec("[A-Za-z.][A-Za-z. ]{0,20}", 0..4),
        lines in prop::collection::vec(("[A-Za-z][A-Za-z-]{0,10}", "[A-Za-z<>@.]{1,8}( [A-Za-z<>@.]{1,8}){0,2}", any::<bool>()), 1..6),
    ) {
        let written: String = lines
            .iter()
            .map(|(key, value, folded)| format!("{key}: {}\n", if *folded { value.replace(' ', "\n ") } else { value.clone() }))
            .collect();
        let message = format!("{title}\n\n{}\n\n{written}", body.join("\n"));
        let expected: Vec<(String, String)> = lines.into_iter().map(|(key, value, _)| (key, value)).collect();
        prop_assert_eq!(keys_and_values(&message), expected);
    }
}

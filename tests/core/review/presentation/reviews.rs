//! What the daemon writes on a forge besides plans: requests for approvals, and the progress of rollouts.

use proptest::prelude::*;
use tidegate_model::digest::Digest;
use tidegate_model::progress::{Counts, Phase};
use tidegate_review::presentation::{Asked, Options, RolloutState, ask, markdown, progress};

use super::{hostile, markdown_check, sample};

fn asked(group: &str, rules: Vec<(String, String)>) -> Asked {
    Asked {
        addon: "istio".parse().unwrap(),
        digest: Digest::of(b"1"),
        group: Some(group.to_owned()),
        comment: Some(format!("/tidegate approve istio {group} {}", Digest::of(b"1"))),
        rules,
    }
}

fn state(reasons: Vec<String>) -> RolloutState {
    let counts = Counts { total: 300, succeeded: 10, failed: 1, ..Counts::default() };
    RolloutState {
        addon: "istio".parse().unwrap(),
        digest: Digest::of(b"1"),
        phase: Phase::Progressing,
        counts,
        reasons,
    }
}

fn check_request(question: &Asked, state: &RolloutState) {
    let (title, body) = ask(question, state, None);
    assert!(title.chars().count() <= 120 && !title.contains(char::is_control), "{title:?}");
    markdown_check::check(&format!("<!-- x -->\n{body}"));
}

#[test]
fn the_command_of_a_request_can_be_copied() {
    let (title, body) = ask(&asked("rest", Vec::new()), &state(Vec::new()), None);
    assert_eq!(title, format!("Approve istio {} for group rest", Digest::of(b"1").short()));
    assert!(body.contains("Without the forge: `tidegate approve istio --group rest`\n"), "{body}");
    assert!(body.contains(&format!("Or comment: `/tidegate approve istio rest {}`\n", Digest::of(b"1"))), "{body}");
}

#[test]
fn a_request_contains_no_command_mention_or_markup() {
    for text in ["@all", "</details>", "```\n/merge", "`", "\n/merge", "x".repeat(300).as_str(), "a|b", ""] {
        check_request(&asked(text, vec![(text.to_owned(), text.to_owned())]), &state(vec![text.to_owned()]));
    }
}

proptest! {
    #[test]
    fn no_value_becomes_markup_in_a_request(strings in hostile::strings()) {
        let mut text = hostile::source(strings);
        let rules = vec![(text(), text()), (text(), text())];
        check_request(&asked(&text(), rules), &state(vec![text(), text()]));
    }

    #[test]
    fn no_value_becomes_markup_in_the_progress_of_rollouts(strings in hostile::strings(), budget in 2_000_usize..40_000) {
        let mut text = hostile::source(strings);
        let options = Options { budget, repository: Some(text()), pull_request: Some(1), full_plan: None };
        let states = [state(vec![text(), text()]), state(vec![text()])];
        let plan = markdown(&sample::plan(&mut text), &options);
        let page = progress(&states, Some(&plan), &options);
        markdown_check::check(&page);
    }
}

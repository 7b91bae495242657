//! What Markdown never contains, whatever the names are.

use proptest::prelude::*;
use tidegate_review::presentation::{Options, markdown};

use super::{hostile, markdown_check, sample};

fn options(budget: usize) -> Options {
    let full_plan = Some("https://ci.example.com/a(b)/plan.html?x=1&y=é".to_owned());
    Options { budget, repository: Some("platform/--><b>fleet".to_owned()), pull_request: Some(42), full_plan }
}

fn of(text: &str, budget: usize) -> String {
    markdown(&sample::plan(&mut || text.to_owned()), &options(budget))
}

#[test]
fn the_first_line_is_the_marker() {
    let first = |options: &Options| {
        markdown(&sample::plan(&mut || "x".to_owned()), options).lines().next().unwrap_or_default().to_owned()
    };
    let named = Options { repository: Some("platform/fleet".to_owned()), pull_request: Some(42), ..Options::default() };
    assert_eq!(first(&named), "<!-- tidegate:plan v1 repo=platform/fleet pull=42 -->");
    assert_eq!(first(&Options::default()), "<!-- tidegate:plan v1 -->");
}

#[test]
fn mentions_and_references_are_code() {
    let page = of("@team #1 !2 owner/repo#3", 200_000);
    assert!(page.contains("`@team #1 !2 owner/repo#3`"), "{page}");
    markdown_check::check(&page);
}

#[test]
fn a_fence_is_longer_than_the_backticks_in_it() {
    let page = of("+````\n/merge\n+</details>\n", 200_000);
    assert!(page.contains("\n`````diff\n+````\n /merge\n+</details>\n`````\n"), "{page}");
    markdown_check::check(&page);
}

#[test]
fn a_cell_contains_no_separator_tag_or_newline() {
    let page = of("a|b<script>\nc", 200_000);
    assert!(page.contains("| `a\\|b<script> c` |"), "{page}");
    markdown_check::check(&page);
    let page = of("a\\|b.c", 200_000);
    assert!(page.contains("| <code>a&#92;&#124;b&#46;c</code> |"), "{page}");
    markdown_check::check(&page);
}

#[test]
fn a_summary_contains_only_our_tags() {
    markdown_check::check(&of("</summary></details><script>x</script>-->", 200_000));
}

#[test]
fn a_quick_action_does_not_start_a_line() {
    for text in ["/merge", "\n/merge", "\r/merge", "x\r\n/merge\n", "\u{2028}/merge", "```\n/merge"] {
        markdown_check::check(&of(text, 200_000));
    }
}

#[test]
fn a_link_has_a_web_address() {
    let link = |url: &str| {
        let options = Options { full_plan: Some(url.to_owned()), ..Options::default() };
        markdown(&sample::plan(&mut || "x".to_owned()), &options)
    };
    assert!(!link("javascript:alert(1)").contains("Full plan"));
    assert!(link("https://a/b) [x](y").contains("[Full plan](https://a/b%29%20%5Bx%5D%28y)"));
}

#[test]
fn the_time_of_the_fleet_is_not_shown() {
    assert!(!of("x", 200_000).contains("2026-03-01"));
}

/// Returns the list of notices in a comment.
fn notices(sentences: &[&str]) -> Vec<String> {
    let mut plan = sample::plan(&mut || "x".to_owned());
    plan.notices = sentences.iter().map(|sentence| (*sentence).to_owned()).collect();
    let page = markdown(&plan, &options(200_000));
    let list = page.split_once(" notices</summary>\n\n").and_then(|(_, list)| list.split_once("\n\n")).unwrap().0;
    list.lines().map(|line| line.strip_prefix("- ").unwrap().to_owned()).collect()
}

#[test]
fn only_sentences_of_plain_words_are_not_code() {
    let harmless = ["at most 2% failures", "canary first, without a failure", "soak time 30m", "an add-on (new)."];
    assert_eq!(notices(&harmless), harmless);
    let others = [
        "@team",
        "see #1",
        "!2",
        "GH-12",
        "www.example.com",
        "a/b",
        "1. item",
        "deadbeef1",
        "*x*",
        "a:b",
        "1) a",
        "x@y",
    ];
    assert_eq!(notices(&others), others.map(|sentence| format!("`{sentence}`")));
}

#[test]
fn a_duration_has_at_most_two_units_and_thousands_are_separated() {
    let durations = ["0s", "59s", "1m0s", "59m59s", "3h10m0s", "24h0m0s", "25h1m1s", "1.5s", "soon", ""];
    let mut plan = sample::plan(&mut || "x".to_owned());
    plan.addons.truncate(1);
    let wave = plan.addons[0].waves.remove(0);
    let with_start = |start: &&str| tidegate_review::proposal::document::Wave {
        starts: (*start).to_owned(),
        clusters: 1_234_567,
        ..wave.clone()
    };
    plan.addons[0].waves = durations.iter().map(with_start).collect();
    let page = markdown(&plan, &options(200_000));
    let rows = page.lines().filter(|line| line.contains("| 1,234,567 |"));
    let starts: Vec<&str> = rows.map(|row| row.split(" | ").nth(4).unwrap()).collect();
    let shown = [
        "at the merge",
        "+ 59 s",
        "+ 1 min",
        "+ 59 min 59 s",
        "+ 3 h 10 min",
        "+ 1 d",
        "+ 1 d 1 h",
        "+ 2 s",
        "+ `soon`",
        "not known",
    ];
    assert_eq!(starts, shown);
}

#[test]
fn a_reason_is_shown_once() {
    let mut plan = sample::plan(&mut || "x".to_owned());
    plan.addons.truncate(1);
    plan.complaints[0].place = "addon.yaml:3:1".to_owned();
    plan.complaints[0].message = "no such template".to_owned();
    let addon = &mut plan.addons[0];
    addon.classes[0].reason = Some("the variable has no value".to_owned());
    let reasons = [plan.complaints[0].to_string(), addon.classes[0].obstacle().unwrap(), "the hub is down".to_owned()];
    addon.blocked = [reasons.clone(), reasons].concat();
    let page = markdown(&plan, &options(200_000));
    for reason in ["no such template", "the variable has no value", "the hub is down"] {
        assert_eq!(page.matches(reason).count(), 1, "{reason}: {page}");
    }
    assert!(page.contains("**Blocked**\n\n- problem at `addon.yaml:3:1`, see above\n- the hub is down\n\n"), "{page}");
}

#[test]
fn a_wave_names_the_groups_that_it_starts_after() {
    let mut plan = sample::plan(&mut || "x".to_owned());
    plan.addons.truncate(1);
    let waves = &mut plan.addons[0].waves;
    waves.push(waves[1].clone());
    let times = [("canary", 0, "0s"), ("second", 1, "0s"), ("third", 2, "1h")];
    for (wave, (group, stage, starts)) in waves.iter_mut().zip(times) {
        (wave.group, wave.stage, wave.starts) = (group.to_owned(), stage, starts.to_owned());
    }
    let page = markdown(&plan, &options(200_000));
    let starts = ["| at the merge |", "| after `canary` |", "| + 1 h, after `second` |"];
    assert!(starts.iter().all(|start| page.contains(start)), "{page}");
}

proptest! {
    #[test]
    fn no_value_becomes_markup_at_any_budget(strings in hostile::strings(), budget in 200_usize..40_000) {
        let page = markdown(&sample::plan(&mut hostile::source(strings)), &options(budget));
        prop_assert!(page.chars().count() <= budget);
        markdown_check::check(&page);
    }
}

//! What Markdown never contains, whatever the names are.

use proptest::prelude::*;
use tidegate_core::presentation::{Options, markdown};

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

proptest! {
    #[test]
    fn no_value_becomes_markup_at_any_budget(strings in hostile::strings(), budget in 200_usize..40_000) {
        let page = markdown(&sample::plan(&mut hostile::source(strings)), &options(budget));
        prop_assert!(page.chars().count() <= budget);
        markdown_check::check(&page);
    }
}

//! What HTML never contains, whatever the names are, and what it always does.

use proptest::prelude::*;
use tidegate_review::presentation::html;

use super::{hostile, html_check, sample};

fn of(text: &str) -> String {
    html(&sample::plan(&mut || text.to_owned()))
}

#[test]
fn scripts_and_attributes_are_escaped() {
    let page = of("<script>alert(1)</script>\" onload='x' &amp;");
    assert!(!page.contains("<script"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&#39;x&#39; &amp;amp;"), "{page}");
    html_check::check(&page);
}

#[test]
fn nothing_is_loaded() {
    let page = of("x");
    for loading in ["src=", "href=", "url(", "@import", "<link", "<script", "<iframe"] {
        assert!(!page.contains(loading), "{loading}");
    }
    assert!(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'"), "{page}");
}

#[test]
fn added_and_removed_lines_have_their_sign_and_their_element() {
    let page = of("@@ -1 +1 @@\n-before\n+after\n same");
    let lines = "<span class=\"place\">@@ -1 +1 @@</span>\n<del>-before</del>\n<ins>+after</ins>\n same\n";
    assert!(page.contains(lines), "{page}");
}

#[test]
fn waves_are_bars_within_their_line() {
    let mut plan = sample::plan(&mut || "x".to_owned());
    plan.addons.truncate(1);
    for (wave, (start, done)) in plan.addons[0].waves.iter_mut().zip([("0s", "1h"), ("1h", "4h")]) {
        (wave.starts, wave.done) = (start.to_owned(), done.to_owned());
    }
    let page = html(&plan);
    let bars = ["style=\"left:0%;width:25%\"", "style=\"left:25%;width:75%\"", "<span>+ 4 h</span>"];
    assert!(bars.iter().all(|bar| page.contains(bar)), "{page}");
}

#[test]
fn the_time_of_the_fleet_is_shown() {
    assert!(of("x").contains("State of the fleet at <code>2026-03-01T12:00:00Z</code>"));
}

proptest! {
    #[test]
    fn no_value_becomes_an_element_or_an_attribute(strings in hostile::strings()) {
        html_check::check(&html(&sample::plan(&mut hostile::source(strings))));
    }
}

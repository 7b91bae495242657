//! Journals that others have written.

use serde_json::Value;

use super::scene::Scene;
use super::shown::{shown, written};
use tidegate_page::{Facts, Links, site};

const PAYLOAD: &str = "<script>alert(1)</script>\" onload=\"x' & \u{202e}evil\u{7}";

/// Replaces all texts of a document that are not names, times or words that have a meaning.
fn poison(value: &mut Value, key: &str) {
    match value {
        Value::Object(members) => members.iter_mut().for_each(|(key, value)| poison(value, key)),
        Value::Array(items) => items.iter_mut().for_each(|item| poison(item, key)),
        Value::String(text) => {
            let is_free = matches!(
                key,
                "subject"
                    | "author"
                    | "approvedBy"
                    | "version"
                    | "from"
                    | "to"
                    | "reason"
                    | "opens"
                    | "gate"
                    | "policy"
                    | "rule"
                    | "who"
                    | "on"
                    | "title"
                    | "url"
                    | "complaints"
                    | "notices"
                    | "person"
                    | "signer"
                    | "key"
                    | "name"
                    | "region"
                    | "platform"
                    | "kubernetes"
                    | "message"
            );
            if is_free {
                PAYLOAD.clone_into(text);
            }
        }
        _ => {}
    }
}

#[test]
fn no_text_of_a_journal_becomes_markup() {
    let mut scene = Scene::new();
    scene.0.values_mut().for_each(|value| poison(value, ""));
    let facts = scene.facts();
    assert_eq!(facts.history.unreadable, [] as [String; 0]);
    let mut seen = 0;
    for path in site::paths(&facts) {
        let page = written(
            &shown(&facts, &path, &[("filter", PAYLOAD), ("person", PAYLOAD)]),
            &path,
            Links::served(&path, None),
        );
        seen += page.matches("&lt;script&gt;alert").count();
        assert!(
            !page.contains("<script>alert") && !page.contains("\" onload") && !page.contains("javascript:"),
            "{path}\n{page}"
        );
        assert!(!page.contains(['\u{202e}', '\u{7}']), "{path}");
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn an_address_that_a_browser_must_not_open_is_no_link() {
    let mut scene = Scene::new();
    let pull = scene.0.get_mut("pulls/7.yaml").unwrap();
    pull["url"] = "javascript:alert(1)".into();
    let page = scene.html("changes/7", &[]);
    assert!(page.contains("javascript:alert(1)") && !page.contains("href=\"javascript"), "{page}");
}

#[test]
fn names_of_253_characters_are_shown() {
    let long = [["a".repeat(60)].as_slice(); 4].concat().join(".");
    let mut scene = Scene::new();
    let list = scene.0.get_mut("addons/hello/clusters.yaml").unwrap();
    list["clusters"][&long] = list["clusters"]["aws-1"].clone();
    assert!(scene.html(&format!("clusters/{long}"), &[]).contains(&long));
    assert!(scene.html("fleet", &[]).contains(&long));
}

#[test]
fn a_damaged_journal_is_shown_as_far_as_it_can_be_read() {
    let scene = Scene::new();
    let whole = scene.files();
    for damaged in whole.keys() {
        for cut in [0, 1, 3] {
            let files = whole.iter().map(|(path, bytes)| {
                let end = if path == damaged { bytes.len() * cut / 4 } else { bytes.len() };
                (path.clone(), bytes[..end].to_vec())
            });
            let facts = Facts::read(Scene::moment(), files.collect(), None);
            for path in site::paths(&facts) {
                written(&shown(&facts, &path, &[]), &path, Links::served(&path, None));
            }
        }
    }
    let mut scene = Scene::new();
    scene.0.remove("addons/hello/rollouts/1.yaml");
    let page = scene.html("", &[]);
    assert!(page.contains("rollouts 1 to 1 are missing in the journal"), "{page}");
}

#[test]
fn a_plan_keeps_its_tables_and_nothing_of_it_becomes_other_markup() {
    let plan = "<!-- a comment -->\n### Plan of `<x>`\n\n| add-on | <b>clusters</b> |\n| --- | ---: |\n| `a|b` | 3 |\n\n\
        <details open><summary><b>One</b></summary>\n\n```diff\n-image: <script>\n+image: b\n```\n\n\
        <script>alert(1)</script>\n\n<img src=x onerror=y> <b onclick=z>\n\n[go](javascript:alert(1)) ![i](http://x/y)\n\n</details></details></main>\n\n\
        <details>\n\nnot closed";
    let mut files = Scene::new().files();
    files.insert("pulls/7.md".to_owned(), plan.as_bytes().to_vec());
    let facts = Facts::read(Scene::moment(), files, None);
    let page = written(&shown(&facts, "changes/7", &[]), "changes/7", Links::served("changes/7", None));
    for kept in [
        "<h3>Plan of <code>&lt;x&gt;</code></h3>",
        "<th class=\"number\">",
        "data-title=\"add-on\"",
        "<details open><summary><b>One</b></summary>",
        "<del>-image: &lt;script&gt;\n</del><ins>+image: b\n</ins>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
    ] {
        assert!(page.contains(kept), "{kept}\n{page}");
    }
    for lost in ["<script>alert", "<img", "onclick=z>\n", "href=\"javascript", "a comment", "http://x/y"] {
        assert!(!page.contains(lost), "{lost}\n{page}");
    }
    assert_eq!(page.matches("<details").count(), page.matches("</details>").count());
    assert_eq!(page.matches("</main>").count(), 1);
}

//! The pages about `tidegate.toml` and the daemon's file list exactly the keys that the program reads.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use super::{text, tidegate};

/// Returns the keys that a schema describes, as `section.key`, each with its default as TOML if it has one.
fn keys(schema: &str) -> BTreeMap<String, Option<String>> {
    let document: Value = serde_json::from_str(&text(&tidegate(&["schema", schema]).stdout)).unwrap();
    let mut keys = BTreeMap::new();
    for (section, described) in document["properties"].as_object().unwrap() {
        let places = ["/allOf/0/$ref", "/anyOf/0/$ref", "/$ref", "/items/$ref"];
        let name = places.into_iter().find_map(|place| described.pointer(place)).and_then(Value::as_str);
        let described = name.map_or(described, |name| document.pointer(name.trim_start_matches('#')).unwrap());
        let Some(properties) = described["properties"].as_object() else {
            // Its keys are names.
            keys.insert(section.clone(), None);
            continue;
        };
        for (key, setting) in properties {
            let default = setting.get("default").filter(|default| !default.is_null());
            keys.insert(format!("{section}.{key}"), default.map(ToString::to_string));
        }
    }
    keys
}

/// Returns the first two columns of the table of keys on a page.
fn rows(page: &str) -> BTreeMap<String, String> {
    let page = fs::read_to_string(page).unwrap();
    let table = page.split("## Keys").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    rows.map(|(key, rest)| (key.to_owned(), rest.split(" |").next().unwrap().trim_matches('`').to_owned())).collect()
}

#[test]
fn the_page_about_the_settings_lists_every_key_with_its_default() {
    let (keys, rows) = (keys("settings"), rows("docs/settings.md"));
    let described: BTreeMap<String, String> =
        keys.into_iter().map(|(key, default)| (key, default.unwrap_or_default())).collect();
    assert_eq!(rows, described);
}

#[test]
fn the_page_about_the_daemons_file_lists_every_key_and_only_flags_that_exist() {
    let (keys, rows) = (keys("daemon"), rows("docs/configuration.md"));
    assert_eq!(rows.keys().collect::<Vec<_>>(), keys.keys().collect::<Vec<_>>());
    let help = text(&tidegate(&["run", "--help"]).stdout);
    let page = fs::read_to_string("docs/configuration.md").unwrap();
    let table = page.split("## Keys").nth(1).unwrap().split("\n## ").next().unwrap();
    for flag in table.split('`').filter(|code| code.starts_with("--")) {
        assert!(help.contains(&format!("{flag} <")), "{flag} is not a flag of `tidegate run`");
    }
}

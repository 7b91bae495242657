//! Every field of every file of a journal: a changed value is found, or the field is listed here.

use std::collections::BTreeSet;

use tidegate_model::chain::Content;

use super::scene::{Scene, journey};

/// Returns the values of a YAML file: the name of the field, and the offset of the first letter or digit of its value.
fn values(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let fields = line.match_indices(": ").map(|(at, _)| {
            let name = line[..at].rsplit([' ', '{', ',']).next().unwrap();
            (name.trim_matches('"').to_owned(), at + 2)
        });
        let mut fields: Vec<(String, usize)> = fields.collect();
        if fields.is_empty() {
            fields.push(("text".to_owned(), 0));
        }
        for (name, at) in fields {
            if let Some(value) = line[at..].find(|c: char| c.is_ascii_alphanumeric()) {
                found.push((name, start + at + value));
            }
        }
        start += line.len();
    }
    found
}

/// Returns another letter or digit.
fn other(byte: u8) -> u8 {
    match byte {
        b'9' | b'z' | b'Z' => byte - 1,
        _ => byte + 1,
    }
}

/// Returns the fields of which a commit has another value than was journaled, and nothing is found.
fn silent(scene: &Scene, commit: usize) -> BTreeSet<String> {
    let mut silent = BTreeSet::new();
    for (number, change) in scene.links[commit].changes.iter().enumerate() {
        let Content::File(bytes) = &change.after else { continue };
        let text = String::from_utf8(bytes.clone()).unwrap();
        for (field, at) in values(&text) {
            let mut forged = scene.clone();
            let mut bytes = bytes.clone();
            bytes[at] = other(bytes[at]);
            forged.links[commit].changes[number].after = Content::File(bytes);
            if forged.findings().is_empty() {
                let file = change.path.rsplit('/').next().unwrap().replace(|c: char| c.is_ascii_digit(), "N");
                silent.insert(format!("{file}: {field}"));
            }
        }
    }
    silent
}

#[test]
fn a_changed_value_of_any_field_is_found_or_listed() {
    let scene = journey();
    assert_eq!(scene.findings(), []);
    let silent: BTreeSet<String> = (0..scene.links.len()).flat_map(|commit| silent(&scene, commit)).collect();
    insta::assert_snapshot!("silent", silent.into_iter().collect::<Vec<_>>().join("\n"));
}

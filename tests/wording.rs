//! Words that the project does not use, in sources and in documents. `CONTRIBUTING.md` has the ones to use instead.

use std::fs;
use std::path::{Path, PathBuf};

/// Words to avoid, each with what to write instead.
const WORDS: &[(&str, &str)] = &[
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("mending", "fixing"),
    ("per cent", "percentage, or %"),
    ("says whether", "returns `true` if"),
    ("tells whether", "returns `true` if"),
];

fn texts(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        fs::read_dir(path).unwrap().for_each(|entry| texts(&entry.unwrap().path(), found));
    } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "md") {
        found.push(path.to_owned());
    }
}

/// Returns `true` if a line has these words, and not only as part of longer ones.
fn has(line: &str, words: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    line.match_indices(words).any(|(at, _)| {
        !is_letter(line[..at].chars().next_back()) && !is_letter(line[at + words.len()..].chars().next())
    })
}

#[test]
fn no_source_or_document_uses_a_word_to_avoid() {
    let mut files = Vec::new();
    for path in ["src", "docs", "examples-repo", "README.md", "ARCHITECTURE.md", "CHANGELOG.md"] {
        texts(Path::new(path), &mut files);
    }
    let mut problems = Vec::new();
    for file in files {
        for (number, line) in fs::read_to_string(&file).unwrap().to_lowercase().lines().enumerate() {
            for (word, better) in WORDS.iter().filter(|(word, _)| has(line, word)) {
                problems.push(format!("{}:{}: {word:?}; write {better}", file.display(), number + 1));
            }
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn every_word_to_avoid_is_in_the_glossary() {
    let page = fs::read_to_string("CONTRIBUTING.md").unwrap();
    for (word, _) in WORDS.iter().filter(|(word, _)| !word.starts_with("mend") || *word == "mend") {
        assert!(page.contains(word), "CONTRIBUTING.md does not list {word:?}");
    }
}

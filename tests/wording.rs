//! Words that the project does not use, in sources and in documents. `CONTRIBUTING.md` has the ones to use instead.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

/// Words to avoid, each with what to write instead. Words that are wrong only in one sense are not listed here.
const WORDS: &[(&str, &str)] = &[
    ("anew", "again, rewritten, rebased"),
    ("comes about", "happens"),
    ("for ever", "forever"),
    ("goes on", "continues"),
    ("laid", "rewritten, rebased"),
    ("made of", "the result of, or consists of"),
    ("mend", "fix"),
    ("mended", "fixed"),
    ("mending", "fixing"),
    ("mends", "fixes"),
    ("nobody", "no one, or the passive"),
    ("per cent", "percentage, or %"),
    ("says whether", "returns `true` if"),
    ("somebody", "someone, another client"),
    ("stands for", "represents"),
    ("taken again", "retried"),
    ("taken for", "treated as"),
    ("tells", "shows, reports, describes, returns"),
    ("told of", "assigned, reported"),
    ("tried again", "retried"),
    ("whoever", "any client that"),
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

/// Returns the comments and string literals of a source file, each with its line from 0.
fn prose(source: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = source
        .lines()
        .enumerate()
        .filter(|(_, line)| line.trim_start().starts_with("//"))
        .map(|(number, line)| (number, line.to_owned()))
        .collect();
    let mut open: Vec<TokenStream> = vec![source.parse().unwrap()];
    while let Some(tokens) = open.pop() {
        for token in tokens {
            match token {
                TokenTree::Group(group) => open.push(group.stream()),
                TokenTree::Literal(literal) => {
                    found.push((literal.span().start().line.saturating_sub(1), literal.to_string()));
                }
                _ => {}
            }
        }
    }
    found
}

#[test]
fn no_source_or_document_uses_a_word_to_avoid() {
    let mut files = Vec::new();
    for path in ["src", "docs", "examples-repo", "README.md", "ARCHITECTURE.md", "CHANGELOG.md"] {
        texts(Path::new(path), &mut files);
    }
    let mut problems = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let is_rust = file.extension().is_some_and(|extension| extension == "rs");
        let lines = if is_rust { prose(&text) } else { text.lines().map(str::to_owned).enumerate().collect() };
        for (number, line) in lines {
            let line = line.to_lowercase();
            for (word, better) in WORDS.iter().filter(|(word, _)| has(&line, word)) {
                problems.push(format!("{}:{}: {word:?}; write {better}", file.display(), number + 1));
            }
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn every_word_to_avoid_is_in_the_glossary() {
    let page = fs::read_to_string("CONTRIBUTING.md").unwrap();
    // Other forms of a verb are not listed.
    for (word, _) in WORDS.iter().filter(|(word, _)| !word.starts_with("mend") || *word == "mend") {
        assert!(page.contains(word), "CONTRIBUTING.md does not list {word:?}");
    }
}

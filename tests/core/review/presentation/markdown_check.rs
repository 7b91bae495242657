//! Checks that Markdown contains only our own markup.

const TAGS: &[&str] = &["<details>", "<details open>", "</details>", "<summary>", "</summary>", "<b>", "</b>"];

/// Panics if a value could have become markup, a mention, a link or a command.
pub(super) fn check(markdown: &str) {
    let mut fence: Option<String> = None;
    let mut columns: Option<usize> = None;
    let mut depth = 0_i32;
    for (number, line) in markdown.lines().enumerate() {
        assert!(!line.starts_with('/'), "a command: {line:?}\n{markdown}");
        assert!(!line.chars().any(|c| c.is_control() && c != '\t'), "{line:?}");
        assert!(!line.contains(['\u{202e}', '\u{2066}', '\u{2028}', '\u{feff}']), "{line:?}");
        if let Some(open) = &fence {
            if line == open {
                fence = None;
            } else {
                assert!(line.starts_with([' ', '+', '-', '@', '\\']), "outside of a diff: {line:?}\n{markdown}");
                assert!(!line.trim().starts_with(open.as_str()), "{line:?}\n{markdown}");
            }
            continue;
        }
        if let Some(open) = line.strip_suffix("diff").filter(|open| open.len() >= 3 && open.chars().all(|c| c == '`')) {
            fence = Some(open.to_owned());
            continue;
        }
        if number == 0 {
            marker(line);
            continue;
        }
        let plain = without_code(line);
        let count = |tag: &str| i32::try_from(plain.matches(tag).count()).unwrap();
        depth += count("<details") - count("</details>");
        let plain = without_tags(&plain);
        if line.starts_with('|') {
            assert!(!line.contains("\\\\|"), "{line:?}");
            let count = line.matches('|').count() - line.matches("\\|").count();
            assert_eq!(*columns.get_or_insert(count), count, "{line:?}\n{markdown}");
        } else {
            columns = None;
            assert!(!plain.contains('|'), "{line:?}");
        }
        text(&plain, line);
    }
    assert_eq!((fence, depth), (None, 0), "{markdown}");
}

fn marker(line: &str) {
    let inside =
        line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->")).unwrap_or_else(|| panic!("{line:?}"));
    assert!(!inside.contains("--") && !inside.contains(['<', '>']), "{line:?}");
}

/// Removes code spans as CommonMark defines them, and our elements of code.
fn without_code(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['`', '<']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("<code>") {
            let (inside, after) = after.split_once("</code>").unwrap_or_else(|| panic!("{line:?}"));
            assert!(!inside.contains(['<', '>', '`', '|', '*', '_', '[', '\\', '@', '~', '$', ':', '.']), "{inside:?}");
            rest = after;
        } else if rest.starts_with('<') {
            plain.push('<');
            rest = &rest[1..];
        } else {
            let run = rest.len() - rest.trim_start_matches('`').len();
            let mut end = None;
            let mut at = run;
            while let Some(next) = rest[at..].find('`') {
                let start = at + next;
                let length = rest[start..].len() - rest[start..].trim_start_matches('`').len();
                at = start + length;
                if length == run {
                    end = Some(at);
                    break;
                }
            }
            rest = &rest[end.unwrap_or_else(|| panic!("a code span without an end: {line:?}"))..];
        }
    }
    plain + rest
}

fn without_tags(line: &str) -> String {
    TAGS.iter().fold(line.to_owned(), |line, tag| line.replace(tag, ""))
}

/// Checks what is neither code nor a tag of ours.
fn text(plain: &str, line: &str) {
    let plain = match plain.split_once("[Full plan](https://") {
        Some((before, url)) => {
            assert!(url.ends_with(')') && !url.contains([' ', '<', '\\', '[']), "{line:?}");
            before.to_owned()
        }
        None => plain.to_owned(),
    };
    let plain = plain.strip_prefix("### ").unwrap_or(&plain);
    let is_own = |c: char| c.is_ascii_alphanumeric() || " *·→−–|:,.;%()+-…".contains(c);
    assert!(plain.chars().all(is_own), "{plain:?} in {line:?}");
}

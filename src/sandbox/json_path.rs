//! The subset of Kubernetes JSONPath that printer columns and feedback rules use: fields, `[*]`, `[n]` and `[?(@.a=="b")]`.

use serde_json::Value;

/// Returns the values at a path, in order; empty if the path cannot be parsed.
pub(crate) fn find<'a>(value: &'a Value, path: &str) -> Vec<&'a Value> {
    let Some(steps) = steps(path) else { return Vec::new() };
    steps.iter().fold(vec![value], |values, step| values.into_iter().flat_map(|value| step.from(value)).collect())
}

#[derive(Debug, PartialEq, Eq)]
enum Step {
    Member(String),
    All,
    Item(usize),
    Where { path: Vec<String>, equals: String },
}

impl Step {
    fn from<'a>(&self, value: &'a Value) -> Vec<&'a Value> {
        match (self, value) {
            (Self::Member(name), _) => value.get(name).into_iter().collect(),
            (Self::Item(index), _) => value.get(index).into_iter().collect(),
            (Self::All, Value::Array(items)) => items.iter().collect(),
            (Self::All, Value::Object(members)) => members.values().collect(),
            (Self::Where { path, equals }, Value::Array(items)) => {
                let at = |item: &'a Value| path.iter().try_fold(item, |value, member| value.get(member));
                items.iter().filter(|item| at(item).and_then(Value::as_str) == Some(equals)).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn steps(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = path.trim().trim_start_matches('{').trim_end_matches('}').trim_start_matches('$');
    while !rest.is_empty() {
        if let Some(tail) = rest.strip_prefix('[') {
            // Brackets inside a filter occur only within its parentheses.
            let end = if tail.starts_with('?') { tail.find(")]").map(|at| at + 1) } else { tail.find(']') }?;
            steps.push(bracket(tail.get(..end)?)?);
            rest = tail.get(end + 1..)?;
        } else {
            let (name, tail) = member(rest.strip_prefix('.').unwrap_or(rest));
            steps.push(if name == "*" { Step::All } else { Step::Member(name) });
            rest = tail;
        }
    }
    Some(steps)
}

/// Reads a field name up to the next step; a backslash escapes the next character.
fn member(text: &str) -> (String, &str) {
    let mut name = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => name.extend(characters.next().map(|(_, escaped)| escaped)),
            '.' | '[' => return (name, text.get(at..).unwrap_or_default()),
            other => name.push(other),
        }
    }
    (name, "")
}

fn bracket(text: &str) -> Option<Step> {
    if text == "*" {
        return Some(Step::All);
    }
    if let Some(name) = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
        return Some(Step::Member(name.to_owned()));
    }
    if let Some(filter) = text.strip_prefix("?(").and_then(|text| text.strip_suffix(')')) {
        let (path, wanted) = filter.split_once("==")?;
        let path = path.trim().strip_prefix("@.")?.split('.').map(str::to_owned).collect();
        let equals = wanted.trim().trim_matches(|c| c == '"' || c == '\'').to_owned();
        return Some(Step::Where { path, equals });
    }
    text.parse().ok().map(Step::Item)
}

//! Label selectors.
//!
//! # Source
//! The lexer and the parser of `k8s.io/apimachinery/pkg/labels`.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::vec::IntoIter;

use crate::names;
use tidegate_go::label;
use tidegate_go::quote::go_quoted;

/// One requirement of a label selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Requirement {
    key: String,
    test: Test,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Test {
    Exists,
    Absent,
    In(BTreeSet<String>),
    NotIn(BTreeSet<String>),
    Above(i64),
    Below(i64),
}

impl Requirement {
    /// Returns `true` if labels, looked up by key, meet the requirement.
    pub(super) fn holds<'a>(&self, label: impl FnOnce(&str) -> Option<&'a str>) -> bool {
        let value = label(&self.key);
        let number = || value.and_then(|value| value.parse::<i64>().ok());
        let listed = |values: &BTreeSet<String>| value.is_some_and(|value| values.contains(value));
        match &self.test {
            Test::Exists => value.is_some(),
            Test::Absent => value.is_none(),
            Test::In(values) => listed(values),
            Test::NotIn(values) => !listed(values),
            Test::Above(bound) => number().is_some_and(|number| number > *bound),
            Test::Below(bound) => number().is_some_and(|number| number < *bound),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(String),
    Symbol(String),
    Broken(String),
}

impl Token {
    fn literal(&self) -> &str {
        match self {
            Self::Word(text) | Self::Symbol(text) | Self::Broken(text) => text,
        }
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self, Self::Symbol(text) if text == symbol)
    }
}

type Tokens = Peekable<IntoIter<Token>>;

/// Parses a label selector.
///
/// # Errors
/// The message, if the selector is malformed.
pub(super) fn parse(text: &str) -> Result<Vec<Requirement>, String> {
    let mut tokens = tokens(text).into_iter().peekable();
    let mut requirements = Vec::new();
    loop {
        match tokens.peek() {
            None => return Ok(requirements),
            Some(token) if token.is("!") || matches!(token, Token::Word(_)) => {
                let requirement = requirement(&mut tokens);
                requirements.push(requirement.map_err(|why| format!("unable to parse requirement: {why}"))?);
            }
            Some(token) => {
                return Err(format!("found '{}', expected: !, identifier, or 'end of string'", token.literal()));
            }
        }
        match tokens.next() {
            None => return Ok(requirements),
            Some(token) if token.is(",") => match tokens.peek() {
                Some(token) if token.is("!") || matches!(token, Token::Word(_)) => {}
                other => {
                    let found = other.map(Token::literal).unwrap_or_default();
                    return Err(format!("found '{found}', expected: identifier after ','"));
                }
            },
            Some(token) => return Err(format!("found '{}', expected: ',' or 'end of string'", token.literal())),
        }
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let is_symbol = |c: char| matches!(c, '=' | '!' | '(' | ')' | ',' | '>' | '<');
    let is_space = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
    let mut tokens = Vec::new();
    let mut rest = text.trim_start_matches(is_space);
    while let Some(first) = rest.chars().next() {
        let length = if is_symbol(first) {
            let known = ["==", "!=", "=", "!", "(", ")", ",", ">", "<"];
            known.into_iter().find(|symbol| rest.starts_with(symbol)).map_or(1, str::len)
        } else {
            rest.find(|c| is_symbol(c) || is_space(c)).unwrap_or(rest.len())
        };
        let (token, tail) = rest.split_at(length);
        tokens.push(if is_symbol(first) { Token::Symbol(token.to_owned()) } else { Token::Word(token.to_owned()) });
        rest = tail.trim_start_matches(is_space);
    }
    tokens
}

fn next_literal(token: Option<&Token>) -> &str {
    token.map(Token::literal).unwrap_or_default()
}

fn requirement(tokens: &mut Tokens) -> Result<Requirement, String> {
    let negated = tokens.next_if(|token| token.is("!")).is_some();
    let key = match tokens.next() {
        Some(Token::Word(key)) => key,
        other => return Err(format!("found '{}', expected: identifier", next_literal(other.as_ref()))),
    };
    check("<nil>", &key, names::label_key(&key))?;
    if negated {
        return Ok(Requirement { key, test: Test::Absent });
    }
    if tokens.peek().is_none_or(|token| token.is(",")) {
        return Ok(Requirement { key, test: Test::Exists });
    }
    let operator = tokens.next().unwrap_or(Token::Broken(String::new()));
    let values = match operator.literal() {
        "in" | "notin" => values(tokens)?,
        "=" | "==" | "!=" | ">" | "<" => BTreeSet::from([exact_value(tokens)?]),
        other => return Err(format!("found '{other}', expected: in, notin, =, ==, !=, gt, lt")),
    };
    let is_ordering = matches!(operator.literal(), ">" | "<");
    check_values(&key, &values, is_ordering)?;
    let bound = || values.first().and_then(|value| value.parse().ok()).unwrap_or_default();
    let test = match operator.literal() {
        ">" => Test::Above(bound()),
        "<" => Test::Below(bound()),
        "notin" | "!=" => Test::NotIn(values),
        _ => Test::In(values),
    };
    Ok(Requirement { key, test })
}

fn check(path: &str, value: &str, wrongs: Vec<String>) -> Result<(), String> {
    if wrongs.is_empty() {
        return Ok(());
    }
    Err(format!("{path}: Invalid value: {}: {}", go_quoted(value), wrongs.join("; ")))
}

fn check_values(key: &str, values: &BTreeSet<String>, is_ordering: bool) -> Result<(), String> {
    let mut found = Vec::new();
    for (at, value) in values.iter().enumerate() {
        if is_ordering && value.parse::<i64>().is_err() {
            let why = "for 'Gt', 'Lt' operators, the value must be an integer".to_owned();
            found.extend(check(&format!("values[{at}]"), value, vec![why]).err());
        }
    }
    for (at, value) in values.iter().enumerate() {
        found.extend(check(&format!("values[{at}][{key}]"), value, label::value_faults(value)).err());
    }
    match found.as_slice() {
        [] => Ok(()),
        [only] => Err(only.clone()),
        _ => Err(format!("[{}]", found.join(", "))),
    }
}

fn exact_value(tokens: &mut Tokens) -> Result<String, String> {
    if tokens.peek().is_none_or(|token| token.is(",")) {
        return Ok(String::new());
    }
    match tokens.next() {
        Some(Token::Word(value)) => Ok(value),
        other => Err(format!("found '{}', expected: identifier", next_literal(other.as_ref()))),
    }
}

fn values(tokens: &mut Tokens) -> Result<BTreeSet<String>, String> {
    let open = tokens.next();
    if !open.as_ref().is_some_and(|token| token.is("(")) {
        return Err(format!("found '{}' expected: '('", next_literal(open.as_ref())));
    }
    let mut values = BTreeSet::new();
    if tokens.next_if(|token| token.is(")")).is_some() {
        return Ok(BTreeSet::from([String::new()]));
    }
    if !tokens.peek().is_some_and(|token| token.is(",") || matches!(token, Token::Word(_))) {
        return Err(format!("found '{}', expected: ',', ')' or identifier", next_literal(tokens.peek())));
    }
    loop {
        match tokens.next() {
            Some(Token::Word(value)) => {
                values.insert(value);
                match tokens.peek() {
                    Some(token) if token.is(",") => {}
                    Some(token) if token.is(")") => break,
                    other => return Err(format!("found '{}', expected: ',' or ')'", next_literal(other))),
                }
            }
            Some(token) if token.is(",") => {
                let next = tokens.peek();
                let is_last = next.is_some_and(|token| token.is(")"));
                if values.is_empty() || is_last || next.is_some_and(|token| token.is(",")) {
                    values.insert(String::new());
                }
                if is_last {
                    break;
                }
            }
            other => return Err(format!("found '{}', expected: ',', or identifier", next_literal(other.as_ref()))),
        }
    }
    tokens.next();
    Ok(values)
}

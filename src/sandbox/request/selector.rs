//! Label and field selectors.

use std::iter::Peekable;
use std::vec::IntoIter;

use serde_json::Value;

use crate::sandbox::object;
use crate::sandbox::refusal::Refusal;

/// Says which objects are meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Selector {
    labels: Vec<Requirement>,
    fields: Vec<Field>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Requirement {
    key: String,
    test: Test,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Test {
    Exists,
    Absent,
    In(Vec<String>),
    NotIn(Vec<String>),
    Above(i64),
    Below(i64),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Field {
    path: String,
    value: String,
    equal: bool,
}

impl Selector {
    /// Reads both selectors; empty ones mean all objects.
    ///
    /// # Errors
    /// Bad request, if one of them cannot be read or a field cannot be selected by.
    pub(crate) fn parse(labels: &str, fields: &str) -> Result<Self, Refusal> {
        let mut tokens = tokens(labels).into_iter().peekable();
        let mut requirements = Vec::new();
        while tokens.peek().is_some() {
            requirements.push(
                requirement(&mut tokens)
                    .map_err(|why| Refusal::bad_request(format!("unable to parse requirement: {why}")))?,
            );
            match tokens.next() {
                None => break,
                Some(token) if token == "," => {}
                Some(token) => {
                    return Err(Refusal::bad_request(format!("found '{token}', expected: ',' or 'end of string'")));
                }
            }
        }
        let fields = fields.split(',').filter(|field| !field.is_empty()).map(field).collect::<Result<_, _>>()?;
        Ok(Self { labels: requirements, fields })
    }

    /// Says whether every object is meant.
    pub(crate) fn is_everything(&self) -> bool {
        self.labels.is_empty() && self.fields.is_empty()
    }

    /// Says whether an object is meant.
    pub(crate) fn matches(&self, object: &Value) -> bool {
        let labels = object::metadata(object, "labels");
        let label = |key: &str| labels.and_then(|labels| labels.get(key)).and_then(Value::as_str);
        self.labels.iter().all(|requirement| requirement.test.holds(label(&requirement.key)))
            && self.fields.iter().all(|field| (value_at(object, &field.path) == field.value) == field.equal)
    }
}

impl Test {
    fn holds(&self, value: Option<&str>) -> bool {
        let number = || value.and_then(|value| value.parse::<i64>().ok());
        let listed = |values: &[String]| value.is_some_and(|value| values.iter().any(|listed| listed == value));
        match self {
            Self::Exists => value.is_some(),
            Self::Absent => value.is_none(),
            Self::In(values) => listed(values),
            Self::NotIn(values) => !listed(values),
            Self::Above(bound) => number().is_some_and(|number| number > *bound),
            Self::Below(bound) => number().is_some_and(|number| number < *bound),
        }
    }
}

fn value_at<'a>(object: &'a Value, path: &str) -> &'a str {
    path.split('.').try_fold(object, |value, member| value.get(member)).and_then(Value::as_str).unwrap_or_default()
}

fn field(text: &str) -> Result<Field, Refusal> {
    let parts = ["!=", "==", "="].into_iter().find_map(|operator| {
        let (path, value) = text.split_once(operator)?;
        Some((path, value, operator != "!="))
    });
    let invalid = || Refusal::bad_request(format!("invalid selector: '{text}'; can't understand '{text}'"));
    let (path, value, equal) = parts.ok_or_else(invalid)?;
    // Events are found by what they are about; every other kind by its name only.
    let known = matches!(path, "metadata.name" | "metadata.namespace" | "reason" | "type");
    if !known && !path.starts_with("involvedObject.") {
        return Err(Refusal::bad_request(format!("field label not supported: {path}")));
    }
    Ok(Field { path: path.to_owned(), value: value.to_owned(), equal })
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut word = String::new();
    let flush = |word: &mut String, tokens: &mut Vec<String>| {
        if !word.is_empty() {
            tokens.push(std::mem::take(word));
        }
    };
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '=' | '!' => {
                flush(&mut word, &mut tokens);
                let doubled = characters.next_if_eq(&'=').is_some();
                tokens.push(if doubled { format!("{character}=") } else { character.to_string() });
            }
            ',' | '(' | ')' | '<' | '>' => {
                flush(&mut word, &mut tokens);
                tokens.push(character.to_string());
            }
            space if space.is_whitespace() => flush(&mut word, &mut tokens),
            other => word.push(other),
        }
    }
    flush(&mut word, &mut tokens);
    tokens
}

fn is_word(token: &str) -> bool {
    !matches!(token, "," | "(" | ")" | "<" | ">" | "=" | "==" | "!=" | "!")
}

fn requirement(tokens: &mut Peekable<IntoIter<String>>) -> Result<Requirement, String> {
    let negated = tokens.next_if(|token| token == "!").is_some();
    let key = tokens.next().filter(|token| is_word(token)).ok_or("found '', expected: identifier")?;
    if negated {
        return Ok(Requirement { key, test: Test::Absent });
    }
    let Some(operator) = tokens.next_if(|token| token != ",") else {
        return Ok(Requirement { key, test: Test::Exists });
    };
    let test = match operator.as_str() {
        "=" | "==" => Test::In(vec![value(tokens)]),
        "!=" => Test::NotIn(vec![value(tokens)]),
        "in" => Test::In(values(tokens)?),
        "notin" => Test::NotIn(values(tokens)?),
        ">" => Test::Above(number(tokens)?),
        "<" => Test::Below(number(tokens)?),
        other => return Err(format!("found '{other}', expected: in, notin, =, ==, !=, gt, lt")),
    };
    Ok(Requirement { key, test })
}

fn value(tokens: &mut Peekable<IntoIter<String>>) -> String {
    tokens.next_if(|token| is_word(token)).unwrap_or_default()
}

fn number(tokens: &mut Peekable<IntoIter<String>>) -> Result<i64, String> {
    let text = value(tokens);
    text.parse().map_err(|_| format!("for 'Gt', 'Lt' operators, the value must be an integer, not '{text}'"))
}

fn values(tokens: &mut Peekable<IntoIter<String>>) -> Result<Vec<String>, String> {
    let open = tokens.next().unwrap_or_default();
    if open != "(" {
        return Err(format!("found '{open}' expected: '('"));
    }
    let mut values = vec![value(tokens)];
    loop {
        match tokens.next().unwrap_or_default().as_str() {
            "," => values.push(value(tokens)),
            ")" => return Ok(values),
            other => return Err(format!("found '{other}', expected: ',' or ')'")),
        }
    }
}

//! Label selectors in Kubernetes syntax: `app=web,tier in (a,b),!old`.

use std::iter::Peekable;
use std::vec::IntoIter;

use tidegate_go::label;

/// A label selector: all of its requirements must hold.
#[derive(Debug, Clone, Default)]
pub(super) struct Expression {
    requirements: Vec<Requirement>,
}

#[derive(Debug, Clone)]
struct Requirement {
    key: String,
    test: Test,
}

#[derive(Debug, Clone)]
enum Test {
    Exists,
    Missing,
    In(Vec<String>),
    NotIn(Vec<String>),
    Above(i64),
    Below(i64),
}

impl Expression {
    /// Reads a selector. An empty one matches everything.
    ///
    /// # Errors
    /// A message that says what is wrong with it.
    ///
    /// # Source
    /// apimachinery `labels.Parse`.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut words = Words { words: split(text).into_iter().peekable() };
        let mut requirements = Vec::new();
        if words.words.peek().is_none() {
            return Ok(Self::default());
        }
        loop {
            requirements.push(words.requirement()?);
            match words.words.next() {
                None => return Ok(Self { requirements }),
                Some(Token::Sign(",")) => {}
                Some(other) => return Err(format!("expected a comma or the end, found {}", other.text())),
            }
        }
    }

    /// Returns `true` if it matches everything.
    pub(super) fn is_any(&self) -> bool {
        self.requirements.is_empty()
    }

    /// Returns `true` if it matches an object, whose labels `value` looks up.
    pub(super) fn matches<'a>(&self, value: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.requirements.iter().all(|requirement| requirement.test.matches(value(&requirement.key)))
    }
}

impl Test {
    fn matches(&self, value: Option<&str>) -> bool {
        let number = || value?.parse::<i64>().ok();
        match self {
            Self::Exists => value.is_some(),
            Self::Missing => value.is_none(),
            Self::In(values) => value.is_some_and(|value| values.iter().any(|one| one == value)),
            Self::NotIn(values) => value.is_none_or(|value| values.iter().all(|one| one != value)),
            Self::Above(bound) => number().is_some_and(|number| number > *bound),
            Self::Below(bound) => number().is_some_and(|number| number < *bound),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Sign(&'static str),
    Word(String),
}

impl Token {
    fn text(&self) -> &str {
        match self {
            Self::Sign(sign) => sign,
            Self::Word(word) => word,
        }
    }
}

/// The signs. Those that start with another sign come first.
const SIGNS: [&str; 9] = ["==", "!=", "=", "!", "(", ")", ",", ">", "<"];

fn split(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (token, len) = match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => (Token::Sign(sign), sign.len()),
            None => {
                let ends = |c: char| c.is_ascii_whitespace() || "=!(),><".contains(c);
                let len = rest.find(ends).unwrap_or(rest.len());
                (Token::Word(rest.get(..len).unwrap_or_default().to_owned()), len)
            }
        };
        tokens.push(token);
        rest = rest.get(len..).unwrap_or_default().trim_start_matches([' ', '\t', '\r', '\n']);
    }
    tokens
}

struct Words {
    words: Peekable<IntoIter<Token>>,
}

impl Words {
    fn word(&mut self, what: &str) -> Result<String, String> {
        match self.words.next() {
            Some(Token::Word(word)) => Ok(word),
            Some(other) => Err(format!("expected {what}, found {}", other.text())),
            None => Err(format!("{what} is missing at the end")),
        }
    }

    fn requirement(&mut self) -> Result<Requirement, String> {
        let is_not = self.words.next_if_eq(&Token::Sign("!")).is_some();
        let key = self.word("a label")?;
        if let Some(fault) = label::key_faults(&key).into_iter().next() {
            return Err(format!("{key:?} is not a label: {fault}"));
        }
        let test = match self.words.peek() {
            _ if is_not => Test::Missing,
            None | Some(Token::Sign(",")) => Test::Exists,
            Some(_) => self.test()?,
        };
        Ok(Requirement { key, test })
    }

    fn test(&mut self) -> Result<Test, String> {
        let operator = self.words.next();
        Ok(match operator.as_ref().map_or("", Token::text) {
            "in" => Test::In(self.list()?),
            "notin" => Test::NotIn(self.list()?),
            "=" | "==" => Test::In(vec![self.value()?]),
            "!=" => Test::NotIn(vec![self.value()?]),
            ">" => Test::Above(self.number()?),
            "<" => Test::Below(self.number()?),
            other => return Err(format!("expected one of in, notin, =, ==, !=, > and <, found {other}")),
        })
    }

    fn value(&mut self) -> Result<String, String> {
        match self.words.peek() {
            None | Some(Token::Sign(",")) => Ok(String::new()),
            Some(_) => self.word("a value").and_then(checked),
        }
    }

    fn number(&mut self) -> Result<i64, String> {
        let value = self.value()?;
        value.parse().map_err(|_| format!("> and < compare with whole numbers, and {value:?} is not one"))
    }

    fn list(&mut self) -> Result<Vec<String>, String> {
        let mut values = Vec::new();
        self.sign("(")?;
        loop {
            // Nothing between two signs means the empty value.
            match self.words.peek() {
                Some(Token::Sign("," | ")")) => values.push(String::new()),
                _ => values.push(self.word("a value").and_then(checked)?),
            }
            if self.words.next_if_eq(&Token::Sign(")")).is_some() {
                return Ok(values);
            }
            self.sign(",")?;
        }
    }

    fn sign(&mut self, sign: &'static str) -> Result<(), String> {
        match self.words.next() {
            Some(Token::Sign(found)) if found == sign => Ok(()),
            Some(other) => Err(format!("expected {sign}, found {}", other.text())),
            None => Err(format!("{sign} is missing at the end")),
        }
    }
}

fn checked(value: String) -> Result<String, String> {
    match label::value_faults(&value).into_iter().next() {
        Some(fault) => Err(format!("{value:?} is not a label value: {fault}")),
        None => Ok(value),
    }
}

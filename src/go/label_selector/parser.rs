//! The lexer and the parser of label selectors.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::vec::IntoIter;

use super::error::{Expected, ParseError, ValueProblem};
use super::requirement::{Condition, Requirement};
use crate::label;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'s> {
    Word(&'s str),
    Symbol(&'s str),
}

impl<'s> Token<'s> {
    fn literal(self) -> &'s str {
        match self {
            Self::Word(literal) | Self::Symbol(literal) => literal,
        }
    }

    fn starts_requirement(self) -> bool {
        matches!(self, Self::Word(_) | Self::Symbol("!"))
    }
}

/// The symbols. Those that start with another symbol come first.
const SYMBOLS: [&str; 9] = ["==", "!=", "=", "!", "(", ")", ",", ">", "<"];

fn tokens(selector: &str) -> Vec<Token<'_>> {
    let is_symbol = |c: char| matches!(c, '=' | '!' | '(' | ')' | ',' | '>' | '<');
    let is_space = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
    let mut tokens = Vec::new();
    let mut rest = selector.trim_start_matches(is_space);
    while !rest.is_empty() {
        let symbol = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol));
        let word_length = || rest.find(|c| is_symbol(c) || is_space(c)).unwrap_or(rest.len());
        let (literal, tail) = rest.split_at(symbol.map_or_else(word_length, str::len));
        tokens.push(if symbol.is_some() { Token::Symbol(literal) } else { Token::Word(literal) });
        rest = tail.trim_start_matches(is_space);
    }
    tokens
}

/// Parses the requirements of a selector.
///
/// # Errors
/// [`ParseError`], the first one of the selector.
pub(super) fn parse(selector: &str) -> Result<Vec<Requirement>, ParseError> {
    let mut parser = Parser { tokens: tokens(selector).into_iter().peekable() };
    let mut requirements = Vec::new();
    let Some(first) = parser.peek() else { return Ok(requirements) };
    if !first.starts_requirement() {
        return Err(unexpected(Expected::FirstRequirement, Some(first)));
    }
    loop {
        requirements.push(parser.requirement()?);
        match parser.tokens.next() {
            None => return Ok(requirements),
            Some(Token::Symbol(",")) => {}
            other => return Err(unexpected(Expected::CommaOrEnd, other)),
        }
        let next = parser.peek();
        if !next.is_some_and(Token::starts_requirement) {
            return Err(unexpected(Expected::NextRequirement, next));
        }
    }
}

fn unexpected(expected: Expected, found: Option<Token<'_>>) -> ParseError {
    ParseError::Unexpected { expected, found: found.map(|token| token.literal().to_owned()) }
}

struct Parser<'s> {
    tokens: Peekable<IntoIter<Token<'s>>>,
}

impl<'s> Parser<'s> {
    fn peek(&mut self) -> Option<Token<'s>> {
        self.tokens.peek().copied()
    }

    fn word(&mut self, expected: Expected) -> Result<&'s str, ParseError> {
        match self.tokens.next() {
            Some(Token::Word(word)) => Ok(word),
            other => Err(unexpected(expected, other)),
        }
    }

    fn requirement(&mut self) -> Result<Requirement, ParseError> {
        let is_negated = self.tokens.next_if_eq(&Token::Symbol("!")).is_some();
        let key = self.word(Expected::Key)?.to_owned();
        if !label::key_faults(&key).is_empty() {
            return Err(ParseError::Key { key });
        }
        let condition = match self.peek() {
            _ if is_negated => Condition::Absent,
            None | Some(Token::Symbol(",")) => Condition::Exists,
            Some(_) => self.condition(&key)?,
        };
        Ok(Requirement { key, condition })
    }

    fn condition(&mut self, key: &str) -> Result<Condition, ParseError> {
        let operator = self.tokens.next();
        match operator.map_or("", Token::literal) {
            "in" => Ok(Condition::In(checked(key, self.list()?)?)),
            "notin" => Ok(Condition::NotIn(checked(key, self.list()?)?)),
            "=" | "==" => Ok(Condition::In(checked(key, BTreeSet::from([self.value()?]))?)),
            "!=" => Ok(Condition::NotIn(checked(key, BTreeSet::from([self.value()?]))?)),
            ">" => Ok(Condition::Above(bound(key, self.value()?)?)),
            "<" => Ok(Condition::Below(bound(key, self.value()?)?)),
            _ => Err(unexpected(Expected::Operator, operator)),
        }
    }

    /// Parses the value after an operator. Nothing means the empty value.
    fn value(&mut self) -> Result<String, ParseError> {
        match self.peek() {
            None | Some(Token::Symbol(",")) => Ok(String::new()),
            Some(_) => self.word(Expected::Value).map(str::to_owned),
        }
    }

    /// Parses the values of `in` and `notin`. Nothing between two symbols means the empty value.
    fn list(&mut self) -> Result<BTreeSet<String>, ParseError> {
        let mut values = BTreeSet::new();
        match self.tokens.next() {
            Some(Token::Symbol("(")) => {}
            other => return Err(unexpected(Expected::OpeningParenthesis, other)),
        }
        let mut expected = Expected::FirstListValue;
        loop {
            let value = match self.peek() {
                Some(Token::Symbol("," | ")")) => "",
                _ => self.word(expected)?,
            };
            values.insert(value.to_owned());
            match self.tokens.next() {
                Some(Token::Symbol(")")) => return Ok(values),
                Some(Token::Symbol(",")) => expected = Expected::NextListValue,
                other => return Err(unexpected(Expected::CommaOrClosingParenthesis, other)),
            }
        }
    }
}

fn value_problems(values: &BTreeSet<String>) -> impl Iterator<Item = ValueProblem> {
    values.iter().enumerate().filter_map(|(index, value)| {
        let rules = label::value_faults(value);
        (!rules.is_empty()).then(|| ValueProblem::NotALabelValue { index, value: value.clone(), rules })
    })
}

/// Checks that labels can have the values.
fn checked(key: &str, values: BTreeSet<String>) -> Result<BTreeSet<String>, ParseError> {
    let problems: Vec<ValueProblem> = value_problems(&values).collect();
    if problems.is_empty() { Ok(values) } else { Err(ParseError::Values { key: key.to_owned(), problems }) }
}

/// Parses the bound of `>` and `<`, which must also be a value that labels can have: it is never negative.
fn bound(key: &str, value: String) -> Result<i64, ParseError> {
    let number = value.parse::<i64>();
    let not_an_integer = number.is_err().then(|| ValueProblem::NotAnInteger { value: value.clone() });
    let problems = not_an_integer.into_iter().chain(value_problems(&BTreeSet::from([value]))).collect::<Vec<_>>();
    match number {
        Ok(number) if problems.is_empty() => Ok(number),
        _ => Err(ParseError::Values { key: key.to_owned(), problems }),
    }
}

//! Semantic versions.
//!
//! # Source
//! `github.com/blang/semver` v4.

use std::cmp::Ordering;
use std::rc::Rc;

use super::declare::Row;
use crate::run::{Context, Fault};
use crate::value::Value;

pub(super) const ROWS: &[Row] = &[
    Row("semver", "string_to_semver", "(string) -> semver", Some(read)),
    Row("isSemver", "is_semver_string", "(string) -> bool", Some(is_version)),
    Row("isGreaterThan", "semver_is_greater_than", "semver.(semver) -> bool", Some(is_greater)),
    Row("isLessThan", "semver_is_less_than", "semver.(semver) -> bool", Some(is_less)),
    Row("compareTo", "semver_compare_to", "semver.(semver) -> int", Some(compare)),
    Row("major", "semver_major", "semver.() -> int", Some(major)),
    Row("minor", "semver_minor", "semver.() -> int", Some(minor)),
    Row("patch", "semver_patch", "semver.() -> int", Some(patch)),
];

/// A version.
#[derive(Debug)]
pub(crate) struct Version {
    numbers: [u64; 3],
    pre: Vec<Identifier>,
}

/// A pre-release identifier. Numbers sort before words.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Identifier {
    Number(u64),
    Word(String),
}

impl Version {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '.');
        let (major, minor, rest) = (parts.next()?, parts.next()?, parts.next()?);
        let (rest, build) = rest.split_once('+').map_or((rest, None), |(rest, build)| (rest, Some(build)));
        let (patch, pre) = rest.split_once('-').map_or((rest, None), |(patch, pre)| (patch, Some(pre)));
        let is_word =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if build.is_some_and(|build| !build.split('.').all(is_word)) {
            return None;
        }
        let identifier = |part: &str| match part {
            part if !is_word(part) => None,
            part if part.bytes().all(|byte| byte.is_ascii_digit()) => number(part).map(Identifier::Number),
            part => Some(Identifier::Word(part.to_owned())),
        };
        let pre = pre.map_or(Some(Vec::new()), |pre| pre.split('.').map(identifier).collect())?;
        Some(Self { numbers: [number(major)?, number(minor)?, number(patch)?], pre })
    }

    /// Compares two versions by precedence; build metadata is ignored.
    pub(crate) fn precedence(&self, other: &Self) -> Ordering {
        self.numbers.cmp(&other.numbers).then_with(|| match (self.pre.is_empty(), other.pre.is_empty()) {
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            _ => self.pre.cmp(&other.pre),
        })
    }
}

/// Parses a number without leading zeros.
fn number(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| is_plain)
}

fn read<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    let [Value::Text(text)] = args else { return Err(Fault::Failed) };
    Version::parse(text).map(|version| Value::Version(Rc::new(version))).ok_or(Fault::Failed)
}

fn is_version<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    let [Value::Text(text)] = args else { return Err(Fault::Failed) };
    Ok(Value::Bool(Version::parse(text).is_some()))
}

fn precedence(args: &[Value<'_>]) -> Result<Ordering, Fault> {
    match args {
        [Value::Version(a), Value::Version(b)] => Ok(a.precedence(b)),
        _ => Err(Fault::Failed),
    }
}

fn is_greater<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    precedence(args).map(|order| Value::Bool(order.is_gt()))
}

fn is_less<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    precedence(args).map(|order| Value::Bool(order.is_lt()))
}

fn compare<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    precedence(args).map(|order| Value::Int(order as i64))
}

fn part<'a>(args: &[Value<'a>], part: impl FnOnce([u64; 3]) -> u64) -> Result<Value<'a>, Fault> {
    match args {
        // Numbers that do not fit into 64-bit integers wrap around, as upstream.
        [Value::Version(version)] => Ok(Value::Int(part(version.numbers) as i64)),
        _ => Err(Fault::Failed),
    }
}

fn major<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    part(args, |[major, _, _]| major)
}

fn minor<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    part(args, |[_, minor, _]| minor)
}

fn patch<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    part(args, |[_, _, patch]| patch)
}

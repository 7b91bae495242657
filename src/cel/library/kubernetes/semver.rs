//! Semantic versions.
//!
//! # Source
//! `github.com/blang/semver` v4.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::context::{Context, EvalError};
use crate::library::declaration::Row;
use crate::value::{Value, Version};

pub(in crate::library) const ROWS: &[Row] = &[
    Row("semver", "string_to_semver", "(string) -> semver", Some(read)),
    Row("isSemver", "is_semver_string", "(string) -> bool", Some(is_version)),
    Row("isGreaterThan", "semver_is_greater_than", "semver.(semver) -> bool", Some(is_greater)),
    Row("isLessThan", "semver_is_less_than", "semver.(semver) -> bool", Some(is_less)),
    Row("compareTo", "semver_compare_to", "semver.(semver) -> int", Some(compare)),
    Row("major", "semver_major", "semver.() -> int", Some(major)),
    Row("minor", "semver_minor", "semver.() -> int", Some(minor)),
    Row("patch", "semver_patch", "semver.() -> int", Some(patch)),
];

fn read<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let [Value::String(text)] = args else { return Err(EvalError::Failed) };
    Version::parse(text).map(|version| Value::Version(Rc::new(version))).ok_or(EvalError::Failed)
}

fn is_version<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let [Value::String(text)] = args else { return Err(EvalError::Failed) };
    Ok(Value::Bool(Version::parse(text).is_some()))
}

fn precedence(args: &[Value<'_>]) -> Result<Ordering, EvalError> {
    match args {
        [Value::Version(a), Value::Version(b)] => Ok(a.precedence(b)),
        _ => Err(EvalError::Failed),
    }
}

fn is_greater<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    precedence(args).map(|order| Value::Bool(order.is_gt()))
}

fn is_less<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    precedence(args).map(|order| Value::Bool(order.is_lt()))
}

fn compare<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    precedence(args).map(|order| Value::Int(order as i64))
}

fn part<'a>(args: &[Value<'a>], part: impl FnOnce([u64; 3]) -> u64) -> Result<Value<'a>, EvalError> {
    match args {
        // Numbers that do not fit into 64-bit integers wrap around, as upstream.
        [Value::Version(version)] => Ok(Value::Int(part(version.numbers()) as i64)),
        _ => Err(EvalError::Failed),
    }
}

fn major<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, |[major, _, _]| major)
}

fn minor<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, |[_, minor, _]| minor)
}

fn patch<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, |[_, _, patch]| patch)
}

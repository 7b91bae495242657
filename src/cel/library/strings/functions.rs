//! Functions on strings. Positions in a string count characters.

use super::format::format;
use crate::context::{Context, EvalError};
use crate::library::declaration::Row;
use crate::library::kubernetes::regex;
use crate::value::Value;

/// Functions of the standard library.
pub(in crate::library) const STANDARD: &[Row] = &[
    Row("contains", "contains_string", "string.(string) -> bool", Some(contains)),
    Row("endsWith", "ends_with_string", "string.(string) -> bool", Some(ends_with)),
    Row("startsWith", "starts_with_string", "string.(string) -> bool", Some(starts_with)),
    Row("matches", "matches", "(string, string) -> bool", Some(regex::matches)),
    Row("matches", "matches_string", "string.(string) -> bool", Some(regex::matches)),
];

/// Functions of the extension library.
pub(in crate::library) const EXTENSION: &[Row] = &[
    Row("charAt", "string_char_at_int", "string.(int) -> string", Some(char_at)),
    Row("indexOf", "string_index_of_string", "string.(string) -> int", Some(index_of)),
    Row("indexOf", "string_index_of_string_int", "string.(string, int) -> int", Some(index_of)),
    Row("lastIndexOf", "string_last_index_of_string", "string.(string) -> int", Some(last_index_of)),
    Row("lastIndexOf", "string_last_index_of_string_int", "string.(string, int) -> int", Some(last_index_of)),
    Row("lowerAscii", "string_lower_ascii", "string.() -> string", Some(lower)),
    Row("replace", "string_replace_string_string", "string.(string, string) -> string", Some(replace)),
    Row("replace", "string_replace_string_string_int", "string.(string, string, int) -> string", Some(replace)),
    Row("split", "string_split_string", "string.(string) -> list(string)", Some(split)),
    Row("split", "string_split_string_int", "string.(string, int) -> list(string)", Some(split)),
    Row("substring", "string_substring_int", "string.(int) -> string", Some(substring)),
    Row("substring", "string_substring_int_int", "string.(int, int) -> string", Some(substring)),
    Row("trim", "string_trim", "string.() -> string", Some(trim)),
    Row("upperAscii", "string_upper_ascii", "string.() -> string", Some(upper)),
    Row("format", "string_format", "string.(list(dyn)) -> string", Some(format)),
    Row("strings.quote", "strings_quote", "(string) -> string", Some(quote)),
    Row("join", "list_join", "list(string).() -> string", Some(join)),
    Row("join", "list_join_string", "list(string).(string) -> string", Some(join)),
    Row("reverse", "string_reverse", "string.() -> string", Some(reverse)),
];

fn both<'a>(args: &[Value<'a>], test: impl FnOnce(&str, &str) -> bool) -> Result<Value<'a>, EvalError> {
    match args {
        [Value::String(a), Value::String(b)] => Ok(Value::Bool(test(a, b))),
        _ => Err(EvalError::Failed),
    }
}

fn contains<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    both(args, |text, part| text.contains(part))
}

fn ends_with<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    both(args, |text, end| text.ends_with(end))
}

fn starts_with<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    both(args, |text, start| text.starts_with(start))
}

/// Runs a function on the string that is the only argument.
fn mapped<'a>(args: &[Value<'a>], map: impl FnOnce(&str) -> String) -> Result<Value<'a>, EvalError> {
    match args {
        [Value::String(text)] => Ok(Value::string(map(text))),
        _ => Err(EvalError::Failed),
    }
}

fn lower<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    mapped(args, str::to_ascii_lowercase)
}

fn upper<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    mapped(args, str::to_ascii_uppercase)
}

fn reverse<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    mapped(args, |text| text.chars().rev().collect())
}

fn trim<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    mapped(args, |text| text.trim().to_owned())
}

fn quote<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    mapped(args, |text| {
        let mut quoted = String::from('"');
        for c in text.chars() {
            match c {
                '\u{7}' => quoted.push_str("\\a"),
                '\u{8}' => quoted.push_str("\\b"),
                '\u{c}' => quoted.push_str("\\f"),
                '\n' => quoted.push_str("\\n"),
                '\r' => quoted.push_str("\\r"),
                '\t' => quoted.push_str("\\t"),
                '\u{b}' => quoted.push_str("\\v"),
                '\\' => quoted.push_str("\\\\"),
                '"' => quoted.push_str("\\\""),
                c => quoted.push(c),
            }
        }
        quoted.push('"');
        quoted
    })
}

/// Converts a position in a string of `length` characters.
fn place(at: i64, length: usize) -> Result<usize, EvalError> {
    usize::try_from(at).ok().filter(|at| *at <= length).ok_or(EvalError::Failed)
}

fn char_at<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let [Value::String(text), Value::Int(at)] = args else { return Err(EvalError::Failed) };
    let at = place(*at, text.chars().count())?;
    Ok(Value::string(text.chars().nth(at).map(String::from).unwrap_or_default()))
}

fn substring<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let (text, start, end) = match args {
        [Value::String(text), Value::Int(start)] => (text, *start, None),
        [Value::String(text), Value::Int(start), Value::Int(end)] => (text, *start, Some(*end)),
        _ => return Err(EvalError::Failed),
    };
    let length = text.chars().count();
    let start = place(start, length)?;
    let end = end.map_or(Ok(length), |end| place(end, length))?;
    let count = end.checked_sub(start).ok_or(EvalError::Failed)?;
    Ok(Value::string(text.chars().skip(start).take(count).collect::<String>()))
}

/// The string, the substring to search for, and the position to start at, if given.
type Search = (Vec<char>, Vec<char>, Option<usize>);

fn search(context: &mut Context<'_, '_>, args: &[Value<'_>]) -> Result<Search, EvalError> {
    let (text, part, from) = match args {
        [Value::String(text), Value::String(part)] => (text, part, None),
        [Value::String(text), Value::String(part), Value::Int(from)] => (text, part, Some(*from)),
        _ => return Err(EvalError::Failed),
    };
    context.meter.allocate(text.len() + part.len())?;
    let from = from.map(|from| usize::try_from(from).map_err(|_| EvalError::Failed)).transpose()?;
    Ok((text.chars().collect(), part.chars().collect(), from))
}

fn found<'a>(at: Option<usize>) -> Value<'a> {
    Value::Int(at.and_then(|at| i64::try_from(at).ok()).unwrap_or(-1))
}

fn index_of<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let (text, part, from) = search(context, args)?;
    let from = from.unwrap_or(0);
    if part.is_empty() {
        return Ok(found(Some(from.min(text.len()))));
    }
    context.meter.work(text.len() as u64)?;
    let rest = text.get(from..).unwrap_or_default();
    Ok(found(rest.windows(part.len()).position(|window| *window == *part).map(|at| at + from)))
}

fn last_index_of<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let (text, part, from) = search(context, args)?;
    if part.is_empty() {
        return Ok(found(Some(from.unwrap_or(text.len()).min(text.len()))));
    }
    // Upstream finds nothing from a position beyond the end.
    if from.is_some_and(|from| from >= text.len()) {
        return Ok(found(None));
    }
    context.meter.work(text.len() as u64)?;
    let end = from.unwrap_or(text.len()).saturating_add(part.len()).min(text.len());
    let before = text.get(..end).unwrap_or_default();
    Ok(found(before.windows(part.len()).rposition(|window| *window == *part)))
}

/// Converts a limit on repetitions; a negative number means no limit.
fn limit(times: i64) -> Option<usize> {
    usize::try_from(times).ok()
}

fn replace<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let (text, old, new, times) = match args {
        [Value::String(text), Value::String(old), Value::String(new)] => (text, old, new, None),
        [Value::String(text), Value::String(old), Value::String(new), Value::Int(times)] => {
            (text, old, new, limit(*times))
        }
        _ => return Err(EvalError::Failed),
    };
    // The size of the result is counted before it is created: chains of replacements would grow without bounds.
    let matches = text.matches(&**old).count().min(times.unwrap_or(usize::MAX));
    context.meter.allocate(text.len().saturating_add(matches.saturating_mul(new.len())))?;
    Ok(Value::string(text.replacen(&**old, new, times.unwrap_or(usize::MAX))))
}

fn split<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let (text, separator, most) = match args {
        [Value::String(text), Value::String(separator)] => (text, separator, None),
        [Value::String(text), Value::String(separator), Value::Int(most)] => (text, separator, limit(*most)),
        _ => return Err(EvalError::Failed),
    };
    context.meter.allocate(text.len().saturating_mul(4))?;
    let most = most.unwrap_or(usize::MAX);
    let parts: Vec<Value<'a>> = if separator.is_empty() {
        let mut rest = text.chars();
        let mut parts = Vec::new();
        while parts.len() + 1 < most {
            let Some(c) = rest.next() else { break };
            parts.push(Value::string(String::from(c)));
        }
        if most > 0 && !rest.as_str().is_empty() {
            parts.push(Value::string(rest.as_str()));
        }
        parts
    } else {
        text.splitn(most, &**separator).map(Value::string).collect()
    };
    Ok(Value::list(parts))
}

fn join<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let (list, separator) = match args {
        [Value::List(list)] => (list, ""),
        [Value::List(list), Value::String(separator)] => (list, &**separator),
        _ => return Err(EvalError::Failed),
    };
    let mut joined = String::new();
    for (at, item) in list.iter().enumerate() {
        let Value::String(item) = item else { return Err(EvalError::Failed) };
        context.meter.allocate(item.len() + separator.len() + 1)?;
        if at > 0 {
            joined.push_str(separator);
        }
        joined.push_str(&item);
    }
    Ok(Value::string(joined))
}

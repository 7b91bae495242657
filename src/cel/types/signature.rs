//! Parses signatures of functions: `string.(string, int) -> list(A)`.

use super::value::{Param, Type};

/// Parses a signature into the types of the arguments (the receiver first), whether there is a receiver, and the type of the
/// result.
///
/// A part that cannot be parsed becomes [`Type::Error`]; a test parses every signature.
pub(crate) fn signature(text: &str) -> (Vec<Type>, bool, Type) {
    let (left, result) = text.split_once(" -> ").unwrap_or((text, ""));
    let open = if left.starts_with('(') { Some(("", left)) } else { left.split_once(".(") };
    let (receiver, args) = open.unwrap_or(("", left));
    let args = args.trim_start_matches('(');
    let args = args.strip_suffix(')').unwrap_or(args);
    let mut types = Vec::new();
    if !receiver.is_empty() {
        types.push(read(receiver));
    }
    types.extend(split(args).map(read));
    (types, !receiver.is_empty(), read(result))
}

/// Splits at commas outside parentheses.
fn split(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    let parts = list.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

fn read(text: &str) -> Type {
    let (name, inner) = text.split_once('(').unwrap_or((text, ""));
    let params: Vec<Type> = split(inner.strip_suffix(')').unwrap_or(inner)).map(read).collect();
    match (name, params.as_slice()) {
        ("bool", []) => Type::Bool,
        ("bytes", []) => Type::Bytes,
        ("double", []) => Type::Double,
        ("duration", []) => Type::Duration,
        ("dyn", []) => Type::Dyn,
        ("int", []) => Type::Int,
        ("null", []) => Type::Null,
        ("string", []) => Type::Text,
        ("timestamp", []) => Type::Timestamp,
        ("uint", []) => Type::Uint,
        ("list", [item]) => Type::list(item.clone()),
        ("map", [key, value]) => Type::map(key.clone(), value.clone()),
        ("optional", [value]) => Type::optional(value.clone()),
        ("type", [of]) => Type::of(of.clone()),
        ("cidr", []) => Type::Named("net.CIDR"),
        ("format", []) => Type::Named("kubernetes.NamedFormat"),
        ("ip", []) => Type::Named("net.IP"),
        ("quantity", []) => Type::Named("kubernetes.Quantity"),
        ("semver", []) => Type::Named("kubernetes.Semver"),
        ("url", []) => Type::Named("kubernetes.URL"),
        (letter, []) => match letter.chars().next() {
            Some(letter) if letter.is_ascii_uppercase() => Type::Param(Param::Declared(letter)),
            _ => Type::Error,
        },
        _ => Type::Error,
    }
}

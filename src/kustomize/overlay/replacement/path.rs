//! Field paths: `spec.containers.[name=main].image`.

use regex::{Regex, RegexBuilder};

use crate::yaml::{Error, Node, Origin, Scalar};

/// Maximum number of steps in a path: nothing that nests deeper is read.
const MAX_STEPS: usize = 64;
/// Maximum size of a compiled expression, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// A field path.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    /// As it was written.
    pub(super) text: String,
    /// Its location.
    pub(super) origin: Origin,
    /// Its steps.
    pub(super) steps: Vec<Step>,
}

/// A step of a path.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// A field of a mapping.
    Field(String),
    /// An element by its index.
    Element(usize),
    /// `-`: the last element in sources, and a field of that name elsewhere.
    Last,
    /// All elements, `*`.
    All,
    /// The elements with such a field, `[name=main]`, or without a key the elements themselves, `[=main]`.
    Matching {
        /// The key of the field.
        key: String,
        /// The value of the field. In targets, a regular expression that matches anywhere in it.
        value: String,
        /// The compiled expression.
        regex: Regex,
    },
}

impl Path {
    /// Reads a path. Dots in brackets and after `\` do not separate steps.
    ///
    /// # Errors
    /// [`Error`] if it has too many steps, or malformed brackets.
    pub(super) fn read(text: &str, origin: Origin) -> Result<Self, Error> {
        Self::of(text, joined(split(text)), origin)
    }

    /// Reads a path in which `ports[0]` is an element of a list, as in vars.
    ///
    /// # Errors
    /// As [`Self::read`].
    ///
    /// # Source
    /// kyaml `convertSliceIndex`.
    pub(crate) fn read_with_indices(text: &str, origin: Origin) -> Result<Self, Error> {
        let parts = joined(split(text)).into_iter().flat_map(|part| match index(&part) {
            Some((name, at)) => [name, at].map(str::to_owned).into_iter().filter(|part| !part.is_empty()).collect(),
            None => vec![part],
        });
        Self::of(text, parts.collect(), origin)
    }

    /// Creates a path from its steps.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) fn of(text: &str, parts: Vec<String>, origin: Origin) -> Result<Self, Error> {
        if parts.len() > MAX_STEPS {
            let message = format!("the path has {} steps, but at most {MAX_STEPS} are allowed", parts.len());
            return Err(origin.error(message));
        }
        let steps = parts.into_iter().map(|part| step(part, origin)).collect::<Result<_, _>>()?;
        Ok(Self { text: text.to_owned(), origin, steps })
    }

    /// Returns an error about the path.
    pub(crate) fn error(&self, what: impl std::fmt::Display) -> Error {
        self.origin.error(format!("the path {:?} {what}", self.text))
    }

    /// Returns the field of a source, or `None` if it is missing.
    ///
    /// # Errors
    /// [`Error`] if a step does not match the value that it reaches.
    pub(crate) fn look_up<'n>(&self, root: &'n Node) -> Result<Option<&'n Node>, Error> {
        let mut node = root;
        for step in &self.steps {
            let next = match step {
                Step::Field(name) if name.trim().is_empty() => Some(node),
                Step::Field(name) => {
                    if node.as_mapping().is_none() && !node.is_null() {
                        return Err(self.error(format_args!("asks for {name:?} where there is no mapping")));
                    }
                    node.get(name.trim())
                }
                Step::All => {
                    return Err(self.error("contains *, which is not allowed in sources; use an index or [name=...]"));
                }
                Step::Element(_) | Step::Last | Step::Matching { .. } => {
                    let items =
                        node.as_sequence().ok_or_else(|| self.error("asks for an element where there is no list"))?;
                    match step {
                        Step::Element(at) => items.get(*at),
                        Step::Matching { key, value, .. } => items.iter().find(|item| is_match(item, key, value)),
                        _ => items.last(),
                    }
                }
            };
            match next {
                Some(next) => node = next,
                None => return Ok(None),
            }
        }
        Ok(Some(node))
    }
}

/// Splits a step such as `ports[0]`.
fn index(part: &str) -> Option<(&str, &str)> {
    let (name, at) = part.strip_suffix(']')?.rsplit_once('[')?;
    (!at.is_empty() && at.bytes().all(|byte| byte.is_ascii_digit())).then_some((name, at))
}

fn is_match(item: &Node, key: &str, value: &str) -> bool {
    let text = |node: &Node| node.as_scalar().map_or("", Scalar::text) == value;
    if key.is_empty() { text(item) } else { item.get(key).is_some_and(text) }
}

fn split(text: &str) -> Vec<String> {
    let mut parts = text.split('.');
    let first = parts.next().unwrap_or_default();
    // A leading dot is ignored.
    let first = if first.is_empty() { parts.next().unwrap_or_default() } else { first };
    let mut split = vec![first.to_owned()];
    for part in parts {
        match split.last_mut() {
            Some(last) if last.ends_with('\\') => {
                last.pop();
                last.push('.');
                last.push_str(part);
            }
            _ => split.push(part.to_owned()),
        }
    }
    split
}

/// Rejoins the parts of a step in brackets.
fn joined(parts: Vec<String>) -> Vec<String> {
    let mut joined = Vec::new();
    let mut parts = parts.into_iter();
    while let Some(mut part) = parts.next() {
        if part.starts_with('[') && !part.ends_with(']') {
            for next in parts.by_ref() {
                part.push('.');
                part.push_str(&next);
                if next.ends_with(']') {
                    break;
                }
            }
            if !part.contains('=') {
                part = part.trim_matches(['[', ']']).to_owned();
            }
        }
        joined.push(part);
    }
    joined
}

fn step(part: String, origin: Origin) -> Result<Step, Error> {
    if let Ok(at) = part.trim().parse::<usize>() {
        return Ok(Step::Element(at));
    }
    match part.as_str() {
        "-" => return Ok(Step::Last),
        "*" => return Ok(Step::All),
        _ => {}
    }
    let Some(inside) = part.strip_prefix('[').and_then(|part| part.strip_suffix(']')) else {
        return Ok(Step::Field(part));
    };
    let (key, value) = inside
        .split_once('=')
        .ok_or_else(|| origin.error(format!("{part} in the path has no key and value; write it as [name=value]")))?;
    let regex = RegexBuilder::new(value).size_limit(MAX_BYTES).build().map_err(|_| {
        origin.error(format!(
                "{value:?} in the path is not a regular expression; write \\\\ before special characters that are meant literally"
            ))
    })?;
    Ok(Step::Matching { key: key.to_owned(), value: value.to_owned(), regex })
}

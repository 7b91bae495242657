//! The filters of the tables: `version!=0.4.1 set=prod -name:edge*`.

use serde::Serialize;

use tidegate_model::near::remedy;

/// The longest filter that is read, in bytes.
const LONGEST: usize = 1_000;
/// The most terms of a filter.
const TERMS: usize = 20;

/// What a filter can ask for besides labels.
const FIELDS: [&str; 7] = ["name", "addon", "version", "state", "set", "group", "reason"];

/// A filter: all of its terms must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    terms: Vec<Term>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Term {
    field: Field,
    pattern: String,
    is_negative: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Field {
    /// Any of the named fields.
    Any,
    Named(String),
    Label(String),
}

/// A filter that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{0}")]
pub struct InvalidFilter(String);

impl Filter {
    /// Parses a filter: terms that are separated by spaces. A term is a word, or a field, an operator and a pattern. `=` and `:` ask for the
    /// pattern, `!=` asks for everything else, and so does `-` before a term. `*` in a pattern is any text. `label.KEY` is a label of the
    /// cluster.
    ///
    /// # Errors
    /// [`InvalidFilter`] for an unknown field, and for a filter that is too long.
    pub fn parse(text: &str) -> Result<Self, InvalidFilter> {
        if text.len() > LONGEST || text.split_whitespace().nth(TERMS).is_some() {
            return Err(InvalidFilter(format!("a filter has at most {TERMS} terms and {LONGEST} characters")));
        }
        text.split_whitespace().map(Term::parse).collect::<Result<_, _>>().map(|terms| Self { terms })
    }

    /// Returns `true` if all terms hold. `value` returns the values of a field, and `label` that of a label.
    pub fn matches<'v>(
        &self,
        value: impl Fn(&str) -> Option<&'v str>,
        label: impl Fn(&str) -> Option<&'v str>,
    ) -> bool {
        self.terms.iter().all(|term| {
            let is_like = |value: Option<&str>| like(&term.pattern, value.unwrap_or_default());
            let found = match &term.field {
                Field::Any => FIELDS.iter().any(|field| is_like(value(field))),
                Field::Named(field) => is_like(value(field)),
                Field::Label(key) => is_like(label(key)),
            };
            found != term.is_negative
        })
    }

    /// Returns `true` if everything matches.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

impl Term {
    fn parse(text: &str) -> Result<Self, InvalidFilter> {
        let (term, is_minus) = text.strip_prefix('-').map_or((text, false), |term| (term, true));
        let Some(at) = term.find(['=', ':', '!']) else {
            return Ok(Self {
                field: Field::Any,
                pattern: format!("*{}*", term.to_lowercase()),
                is_negative: is_minus,
            });
        };
        let (field, rest) = term.split_at(at);
        let (pattern, is_not) = match rest.strip_prefix("!=") {
            Some(pattern) => (pattern, true),
            None => (rest.trim_start_matches(['=', ':', '!']), false),
        };
        let field = match field.strip_prefix("label.") {
            Some(key) if !key.is_empty() => Field::Label(key.to_owned()),
            _ if FIELDS.contains(&field) => Field::Named(field.to_owned()),
            _ => {
                let remedy = remedy(field, FIELDS.into_iter().chain(["label.KEY"]));
                return Err(InvalidFilter(format!("a filter has no field {field:?}; {remedy}")));
            }
        };
        Ok(Self { field, pattern: pattern.to_lowercase(), is_negative: is_minus != is_not })
    }
}

/// Returns `true` if a text is like a pattern in which `*` is any text; upper and lower case are the same. Takes the time of the product of
/// their lengths at most.
fn like(pattern: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    rest.ends_with(last)
}

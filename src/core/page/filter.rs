//! The filters of the tables: `version!=0.4.1 set=prod -name:edge*`.

use tidegate_model::near::remedy;
use tidegate_model::progress::ClusterState;

/// The longest filter that is read, in bytes.
const LONGEST: usize = 1_000;
/// The most terms of a filter.
const TERMS: usize = 20;

/// What a filter can ask for besides labels.
const FIELDS: [&str; 7] = ["name", "addon", "version", "state", "set", "group", "reason"];

/// The words for states. A cluster that took too long is also `failed`.
const STATES: [&str; 14] = [
    "succeeded",
    "done",
    "progressing",
    "in progress",
    "soaking",
    "waiting",
    "failed",
    "timedout",
    "took too long",
    "degraded",
    "stopped working",
    "leaving",
    "removing",
    "removed",
];

/// Returns the words for a state, of those that a filter knows.
pub(crate) fn words(state: ClusterState, is_degraded: bool) -> &'static [&'static str] {
    match state {
        _ if is_degraded => &["degraded", "stopped working"],
        ClusterState::Succeeded => &["succeeded", "done"],
        ClusterState::Progressing => &["progressing", "in progress"],
        ClusterState::Soaking => &["soaking"],
        ClusterState::Waiting => &["waiting"],
        ClusterState::Failed => &["failed"],
        ClusterState::TimedOut => &["timedout", "took too long", "failed"],
        ClusterState::Leaving => &["leaving"],
        ClusterState::Removing => &["removing", "leaving"],
        ClusterState::Removed => &["removed"],
    }
}

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
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidFilter(String);

impl Filter {
    /// Parses a filter: terms that are separated by spaces. A term is a word, or a field, an operator and a pattern. `=` and `:` ask for the
    /// pattern, `!=` asks for everything else, and so does `-` before a term. `*` in a pattern is any text, and quotes keep spaces.
    /// `label.KEY` is a label of the cluster.
    ///
    /// # Errors
    /// [`InvalidFilter`] for an unknown field, operator or state, and for a filter that is too long.
    pub fn parse(text: &str) -> Result<Self, InvalidFilter> {
        let terms = terms(text)?;
        if text.len() > LONGEST || terms.len() > TERMS {
            return Err(InvalidFilter(format!("a filter has at most {TERMS} terms and {LONGEST} characters")));
        }
        terms.iter().map(|term| Term::parse(term)).collect::<Result<_, _>>().map(|terms| Self { terms })
    }

    /// Returns `true` if all terms hold. `values` returns the values of a field, of which one must match, and `label` that of a label.
    pub fn matches<'v>(&self, values: impl Fn(&str) -> Vec<&'v str>, label: impl Fn(&str) -> Option<&'v str>) -> bool {
        self.terms.iter().all(|term| {
            let is_like = |value: &&str| like(&term.pattern, value);
            let found = match &term.field {
                Field::Any => FIELDS.iter().any(|field| values(field).iter().any(is_like)),
                Field::Named(field) => values(field).iter().any(is_like),
                Field::Label(key) => is_like(&label(key).unwrap_or_default()),
            };
            found != term.is_negative
        })
    }

    /// Returns `true` if everything matches.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

/// Splits at spaces that are not in quotes, and removes the quotes.
fn terms(text: &str) -> Result<Vec<String>, InvalidFilter> {
    let (mut terms, mut term, mut is_quoted) = (Vec::new(), String::new(), false);
    for c in text.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            c if c.is_whitespace() && !is_quoted => terms.push(std::mem::take(&mut term)),
            c => term.push(c),
        }
    }
    if is_quoted {
        return Err(InvalidFilter("a quote is not closed; add \" at its end".to_owned()));
    }
    terms.push(term);
    terms.retain(|term| !term.is_empty());
    Ok(terms)
}

impl Term {
    fn parse(text: &str) -> Result<Self, InvalidFilter> {
        let (term, is_minus) = text.strip_prefix('-').map_or((text, false), |term| (term, true));
        let Some(at) = term.find(['=', ':', '!', '<', '>', '~']) else {
            return Ok(Self {
                field: Field::Any,
                pattern: format!("*{}*", term.to_lowercase()),
                is_negative: is_minus,
            });
        };
        let (field, rest) = term.split_at(at);
        let (pattern, is_not) = match (rest.strip_prefix("!="), rest.strip_prefix(['=', ':'])) {
            (Some(pattern), _) => (pattern, true),
            (None, Some(pattern)) => (pattern, false),
            (None, None) => return Err(InvalidFilter(format!("{text:?}: write =, : or != after {field:?}"))),
        };
        let pattern = pattern.to_lowercase();
        let field = match field.strip_prefix("label.") {
            Some(key) if !key.is_empty() => Field::Label(key.to_owned()),
            _ if FIELDS.contains(&field) => Field::Named(field.to_owned()),
            _ => {
                let remedy = remedy(field, FIELDS.into_iter().chain(["label.KEY"]));
                return Err(InvalidFilter(format!("a filter has no field {field:?}; {remedy}")));
            }
        };
        if field == Field::Named("state".to_owned()) && !STATES.iter().any(|state| like(&pattern, state)) {
            return Err(InvalidFilter(format!("there is no state {pattern:?}; {}", remedy(&pattern, STATES))));
        }
        Ok(Self { field, pattern, is_negative: is_minus != is_not })
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

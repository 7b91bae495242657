//! Errors of label selectors, with the messages of apimachinery.

use std::fmt;

use crate::label;
use crate::quote::go_quoted;

/// The error of a label selector that cannot be parsed. `Display` prints apimachinery's message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// A token that cannot follow the one before it.
    Unexpected {
        /// The token that could follow.
        expected: Expected,
        /// The token that was found; `None` at the end of the selector.
        found: Option<String>,
    },
    /// A key that no label can have.
    Key {
        /// The key.
        key: String,
    },
    /// Values that the label cannot have, or that cannot be compared with.
    Values {
        /// The key of the label.
        key: String,
        /// What is wrong with the values. Never empty.
        problems: Vec<ValueProblem>,
    },
}

/// A token that could follow in a label selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// The first requirement.
    FirstRequirement,
    /// Another requirement, after a comma.
    NextRequirement,
    /// The key, after `!`.
    Key,
    /// An operator, after a key.
    Operator,
    /// A value, after an operator such as `=`.
    Value,
    /// The `(` before the values of `in` and `notin`.
    OpeningParenthesis,
    /// The first value of a list, or its end.
    FirstListValue,
    /// Another value of a list, after a comma.
    NextListValue,
    /// A comma or the end of the list, after a value of the list.
    CommaOrClosingParenthesis,
    /// A comma or the end of the selector, after a requirement.
    CommaOrEnd,
}

/// What is wrong with a value of a requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueProblem {
    /// `>` and `<` compare with integers only.
    NotAnInteger {
        /// The value.
        value: String,
    },
    /// No label can have the value.
    NotALabelValue {
        /// The index of the value among the sorted values of the requirement.
        index: usize,
        /// The value.
        value: String,
        /// The rules that it violates, as [`label::value_faults`] returns them.
        rules: Vec<String>,
    },
}

impl Expected {
    fn message(self) -> &'static str {
        match self {
            Self::FirstRequirement => ", expected: !, identifier, or 'end of string'",
            Self::NextRequirement => ", expected: identifier after ','",
            Self::Key | Self::Value => ", expected: identifier",
            Self::Operator => ", expected: in, notin, =, ==, !=, gt, lt",
            Self::OpeningParenthesis => " expected: '('",
            Self::FirstListValue => ", expected: ',', ')' or identifier",
            Self::NextListValue => ", expected: ',', or identifier",
            Self::CommaOrClosingParenthesis => ", expected: ',' or ')'",
            Self::CommaOrEnd => ", expected: ',' or 'end of string'",
        }
    }

    fn is_inside_requirement(self) -> bool {
        !matches!(self, Self::FirstRequirement | Self::NextRequirement | Self::CommaOrEnd)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !matches!(self, Self::Unexpected { expected, .. } if !expected.is_inside_requirement()) {
            f.write_str("unable to parse requirement: ")?;
        }
        match self {
            Self::Unexpected { expected, found } => {
                write!(f, "found '{}'{}", found.as_deref().unwrap_or_default(), expected.message())
            }
            Self::Key { key } => f.write_str(&invalid("<nil>", key, &label::label_key_faults(key).join("; "))),
            Self::Values { key, problems } => {
                let messages: Vec<String> = problems.iter().map(|problem| problem.message(key)).collect();
                match messages.as_slice() {
                    [only] => f.write_str(only),
                    _ => write!(f, "[{}]", messages.join(", ")),
                }
            }
        }
    }
}

impl ValueProblem {
    fn message(&self, key: &str) -> String {
        match self {
            Self::NotAnInteger { value } => {
                invalid("values[0]", value, "for 'Gt', 'Lt' operators, the value must be an integer")
            }
            Self::NotALabelValue { index, value, rules } => {
                invalid(&format!("values[{index}][{key}]"), value, &rules.join("; "))
            }
        }
    }
}

fn invalid(path: &str, value: &str, why: &str) -> String {
    format!("{path}: Invalid value: {}: {why}", go_quoted(value))
}

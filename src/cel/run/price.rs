//! The cost of calls.

use crate::value::Value;

/// How the cost of a call is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Price {
    One,
    /// By the length of one argument.
    Length(usize),
    /// By the shorter of two arguments.
    Shorter,
    /// By the length of two arguments together.
    Both,
    /// By the number of items in a list.
    Items,
    Contains,
    Matches,
    CharAt,
    /// By the length of a string and of the result.
    Transform,
    Search,
    Replace,
    Split,
    Join,
    Scores,
    ParseJson,
}

/// The arguments and the result of a call; `None` if they failed.
pub(super) struct Paid<'p, 'a> {
    pub(super) args: &'p [Option<Value<'a>>],
    pub(super) result: Option<&'p Value<'a>>,
}

impl Price {
    /// Returns how the cost of calling an overload is computed.
    pub(super) fn of(function: &str, overload: &str) -> Self {
        match (function, overload) {
            ("scores", _) => Self::Scores,
            ("parseJSON", _) => Self::ParseJson,
            (_, "starts_with_string" | "ends_with_string") => Self::Length(1),
            (_, "string_to_bytes" | "bytes_to_string" | "strings_quote" | "string_format") => Self::Length(0),
            (_, "in_list") => Self::Items,
            (
                _,
                "less_string"
                | "greater_string"
                | "less_equals_string"
                | "greater_equals_string"
                | "less_bytes"
                | "greater_bytes"
                | "less_equals_bytes"
                | "greater_equals_bytes",
            ) => Self::Shorter,
            (_, "add_string" | "add_bytes") => Self::Both,
            (_, "contains_string") => Self::Contains,
            (_, "matches" | "matches_string") => Self::Matches,
            (_, "string_char_at_int") => Self::CharAt,
            (
                _,
                "string_lower_ascii"
                | "string_upper_ascii"
                | "string_substring_int"
                | "string_substring_int_int"
                | "string_trim"
                | "string_reverse",
            ) => Self::Transform,
            (
                _,
                "string_index_of_string"
                | "string_index_of_string_int"
                | "string_last_index_of_string"
                | "string_last_index_of_string_int",
            ) => Self::Search,
            (_, "string_replace_string_string" | "string_replace_string_string_int") => Self::Replace,
            (_, "string_split_string" | "string_split_string_int") => Self::Split,
            (_, "list_join" | "list_join_string") => Self::Join,
            _ => Self::One,
        }
    }

    /// Returns the cost of a call.
    pub(super) fn cost(self, paid: &Paid<'_, '_>) -> u64 {
        match self {
            Self::One => 1,
            Self::Length(at) => tenth(paid.size(at)),
            Self::Shorter => tenth(paid.size(0).min(paid.size(1))),
            Self::Both => tenth(paid.size(0) + paid.size(1)),
            Self::Items => paid.size(1),
            Self::Contains => tenth(paid.size(0)).saturating_mul(tenth(paid.size(1))),
            Self::Matches => tenth(paid.size(0) + 1).saturating_mul(paid.size(1).div_ceil(4)),
            Self::CharAt => 2 + tenth(paid.size(0)),
            Self::Transform => 1 + tenth(paid.size(0)) + paid.result_size(),
            Self::Search => 1 + tenth(paid.size(0).saturating_mul(paid.size(1))),
            Self::Replace => 1 + tenth(paid.size(0).max(1).saturating_mul(paid.size(1).max(1))) + paid.result_size(),
            Self::Split => 11 + tenth(paid.size(0) + 1) + paid.result_size(),
            Self::Join => 1 + tenth(paid.size(0) + 1) + paid.result_size(),
            Self::Scores => match paid.result {
                Some(Value::List(scores)) => 10 + 31 * scores.len() as u64,
                _ => 10,
            },
            Self::ParseJson => tenth(paid.size(0)) + paid.result.map_or(0, structure),
        }
    }
}

impl Paid<'_, '_> {
    fn size(&self, at: usize) -> u64 {
        self.args.get(at).and_then(Option::as_ref).map_or(1, Value::cost_size)
    }

    fn result_size(&self) -> u64 {
        self.result.map_or(1, Value::cost_size)
    }
}

fn tenth(size: u64) -> u64 {
    size.div_ceil(10)
}

/// Returns the cost of creating a value that was parsed from JSON.
fn structure(value: &Value<'_>) -> u64 {
    match value {
        Value::Map(map) => 30 + map.keys().filter_map(|key| map.find(&key)).map(|value| structure(&value)).sum::<u64>(),
        Value::List(list) => 10 + list.iter().map(|item| structure(&item)).sum::<u64>(),
        _ => 0,
    }
}

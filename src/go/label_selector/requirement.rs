//! One requirement of a label selector.

use std::collections::BTreeSet;

/// What a selector requires of one label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Requirement {
    /// The key of the label.
    pub(super) key: String,
    /// The condition that its value must meet.
    pub(super) condition: Condition,
}

/// A condition that the value of a label must meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Condition {
    /// The label is present.
    Exists,
    /// The label is absent.
    Absent,
    /// The label has one of these values.
    In(BTreeSet<String>),
    /// The label is absent, or has none of these values.
    NotIn(BTreeSet<String>),
    /// The value is an integer above the bound.
    Above(i64),
    /// The value is an integer below the bound.
    Below(i64),
}

impl Requirement {
    /// Returns `true` if a value of the label, `None` if it is absent, meets the requirement.
    pub(super) fn is_met(&self, value: Option<&str>) -> bool {
        let number = || value.and_then(|value| value.parse::<i64>().ok());
        let listed = |values: &BTreeSet<String>| value.is_some_and(|value| values.contains(value));
        match &self.condition {
            Condition::Exists => value.is_some(),
            Condition::Absent => value.is_none(),
            Condition::In(values) => listed(values),
            Condition::NotIn(values) => !listed(values),
            Condition::Above(bound) => number().is_some_and(|number| number > *bound),
            Condition::Below(bound) => number().is_some_and(|number| number < *bound),
        }
    }
}

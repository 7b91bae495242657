//! Numbers and percentages of clusters.

use crate::field::Field;
use crate::report::Report;

/// A number or a percentage of clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Share {
    /// A number.
    Number(u32),
    /// A percentage, at most 100.
    Percentage(u32),
}

/// Reads a number or a percentage. Anything else is reported.
pub(crate) fn share(field: &Field<'_>, report: &mut Report) -> Option<Share> {
    let value = field.node.to_value().ok();
    let number = value.as_ref().and_then(serde_json::Value::as_u64).and_then(|value| value.try_into().ok());
    let text = field.node.as_str();
    let percentage = text.and_then(|text| text.strip_suffix('%')).and_then(|text| text.parse().ok());
    let found = match (number, percentage) {
        (Some(number), _) => Some(Share::Number(number)),
        (None, Some(percentage @ 0..=100)) => Some(Share::Percentage(percentage)),
        _ => text.and_then(|text| text.parse().ok()).map(Share::Number),
    };
    if found.is_none() {
        field.refuse(report, "must be a number, or a percentage such as 25%");
    }
    found
}

/// Returns how many clusters of a stage may be under way at once; `None` for all of them.
///
/// A limit of a RolloutPolicy is a number, because a percentage changes whenever a cluster joins. A percentage below 100 becomes one cluster:
/// no cluster starts too early, and the report names what to change.
pub(crate) fn at_once(field: &Field<'_>, report: &mut Report) -> Option<u32> {
    match share(field, report)? {
        Share::Percentage(100) => None,
        Share::Percentage(percentage) => {
            let how = "one cluster at once: a limit is a number, which you can raise in `limits` of the RolloutPolicy";
            field.differs(report, format!("{percentage}% becomes {how}"));
            Some(1)
        }
        Share::Number(0) => {
            field.differs(report, "0 becomes 1, the smallest limit");
            Some(1)
        }
        Share::Number(number) => Some(number),
    }
}

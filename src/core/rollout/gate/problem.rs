//! A problem of a RolloutPolicy, and the durations that may have one.

use tidegate_api::schema::path::Path;
use tidegate_model::time::parse_go_duration;

/// A problem of a policy: the field, what is wrong with it, and what to write.
pub type Problem = (Path, String);

/// Adds a problem if a duration is malformed or not positive.
pub(super) fn duration(at: &Path, given: Option<&str>, found: &mut Vec<Problem>) {
    let Some(text) = given else { return };
    if !parse_go_duration(text).is_ok_and(|span| span.is_positive()) {
        found.push((at.clone(), format!("{at} is {text:?}; write a duration such as \"5m\" or \"72h\"")));
    }
}

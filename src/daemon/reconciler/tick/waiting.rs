//! Writes that are not to be repeated yet: the lanes without them, and the lines that report them.

use std::time::Duration;

use tidegate_model::action::{Lane, Write};
use tidegate_model::object::ObjectKey;
use tidegate_model::time::Timestamp;
use tidegate_repository::Repository;

/// Returns `true` if a moment is still to come. One that is further ahead than the longest pause is from before the clock was set, and counts
/// as over.
pub(super) fn is_ahead(at: Timestamp, now: Timestamp, longest: Duration) -> bool {
    at > now && now.duration_until(at).unsigned_abs() <= longest
}

/// Number of objects that are named. If the hub refuses the works of ten thousand clusters, the first ones are enough.
const NAMED: usize = 20;

/// Returns the lanes up to their first write that waits. Later writes in a lane wait with it. `first_waiting` returns the index of
/// that write.
pub(super) fn without_waiting(lanes: Vec<Lane>, mut first_waiting: impl FnMut(&[Write]) -> Option<usize>) -> Vec<Lane> {
    let rest = lanes.into_iter().map(|mut lane| {
        let end = first_waiting(&lane.writes).unwrap_or(lane.writes.len());
        lane.writes.truncate(end);
        lane
    });
    rest.filter(|lane| !lane.writes.is_empty()).collect()
}

/// Returns one line for each object and its problem, as `file:line:column: why` if the repository declares the object. Only the first
/// objects are named; `more` describes the others in the last line.
pub(super) fn lines<'a>(
    repository: &Repository,
    mut problems: impl Iterator<Item = (&'a ObjectKey, String)>,
    more: &str,
) -> Vec<String> {
    let named = problems.by_ref().take(NAMED).map(|(key, why)| {
        let place = repository.objects.get(key).map(|declared| format!("{}: ", declared.place)).unwrap_or_default();
        format!("{place}{key} is not on the hub as it should be: {why}")
    });
    let mut lines: Vec<String> = named.collect();
    let rest = problems.count();
    if rest > 0 {
        lines.push(format!("and {rest} {more}"));
    }
    lines
}

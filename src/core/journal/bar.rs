//! Progress bars that consist of characters.

use tidegate_model::progress::Counts;

/// Returns a bar of `width` characters: `█` for done, `▒` for in progress, `!` for failed, `░` for waiting.
///
/// Every state with at least one cluster gets at least one character, if the width allows it.
pub fn bar(counts: &Counts, width: usize) -> String {
    let Counts { total, succeeded, progressing, failed, .. } = *counts;
    let share = |part: usize| match (part, total) {
        (0, _) | (_, 0) => 0,
        (part, total) => (part * width / total).max(1),
    };
    let (failed, progressing) = (share(failed), share(progressing));
    let done = if total > 0 && succeeded == total {
        width
    } else {
        share(succeeded).min(width.saturating_sub(failed + progressing))
    };
    let rest = width.saturating_sub(done + progressing + failed);
    ["█".repeat(done), "▒".repeat(progressing), "!".repeat(failed), "░".repeat(rest)].concat()
}

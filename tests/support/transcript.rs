//! Transcripts for snapshots of messages.

use std::fmt::Debug;

/// Returns each case with the lines that it results in, indented below it.
pub(crate) fn transcript<C: Debug + Copy>(cases: impl IntoIterator<Item = C>, result: impl Fn(C) -> String) -> String {
    let shown = cases.into_iter().map(|case| {
        let lines: String = result(case).lines().map(|line| format!("  {line}\n")).collect();
        format!("{case:?}\n{lines}")
    });
    shown.collect::<Vec<_>>().join("\n")
}

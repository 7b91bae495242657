//! Near misses: what somebody most likely meant.

/// Returns the candidate that is most like a text, if one is like enough: at most a third of its characters differ.
pub(super) fn nearest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let measured =
        candidates.into_iter().map(|candidate| (distance(&text.to_lowercase(), &candidate.to_lowercase()), candidate));
    let (distance, candidate) = measured.min()?;
    let most = text.chars().count().max(candidate.chars().count()).div_ceil(3);
    (distance <= most).then_some(candidate)
}

/// Returns ` (did you mean "x"?)` for the nearest candidate, or nothing.
pub(super) fn hint<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(text, candidates).map(|near| format!("; did you mean {near:?}?")).unwrap_or_default()
}

/// Counts the characters to insert, remove or replace to get from one text to the other.
fn distance(a: &str, b: &str) -> usize {
    // Texts beyond this are no names that somebody mistyped; the table below grows with the product of the lengths.
    const LONGEST: usize = 253;
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(LONGEST).collect(), b.chars().take(LONGEST).collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for ((to, above), diagonal) in b.iter().zip(row.iter().skip(1)).zip(&row) {
            let left = next.last().copied().unwrap_or(0);
            next.push((diagonal + usize::from(from != to)).min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

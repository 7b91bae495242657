//! Near misses: the known name that was probably meant.

/// Maximum number of candidates to compare; bounds the work on hostile input.
const MAX_CANDIDATES: usize = 1000;
/// Longer names are not compared.
const MAX_LENGTH: usize = 64;

/// Returns the candidate nearest to a name, if one is near enough to be a typo. The first of equally near ones wins.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > MAX_LENGTH {
        return None;
    }
    let allowed = (length / 3).clamp(1, 4);
    candidates
        .into_iter()
        .take(MAX_CANDIDATES)
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= allowed)
        .map(|candidate| (distance(&word.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the shortest candidate that a name abbreviates: it starts with the same letter and has all letters of the name in their order,
/// as `image` for `img`. Shorter names than that abbreviate nothing.
pub fn abbreviated<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let abbreviates = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        let mut letters = candidate.chars();
        candidate.chars().next() == word.chars().next() && word.chars().all(|letter| letters.any(|of| of == letter))
    };
    if !(3..=MAX_LENGTH).contains(&word.chars().count()) {
        return None;
    }
    let candidates = candidates.into_iter().take(MAX_CANDIDATES).filter(|candidate| abbreviates(candidate));
    candidates.min_by_key(|candidate| candidate.len())
}

/// Returns the part of a message that suggests the nearest known name, or else lists all of them.
pub fn remedy<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    if let Some(near) = nearest(word, known.clone()) {
        return format!("did you mean {near:?}?");
    }
    let known: Vec<String> = known.into_iter().map(|word| format!("{word:?}")).collect();
    match known.as_slice() {
        [] => "remove it".to_owned(),
        [only] => format!("write {only}"),
        [first @ .., last] => format!("write {} or {last}", first.join(", ")),
    }
}

/// Counts the insertions, deletions, replacements and swaps of neighbors that turn one string into the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before_previous: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    let mut last_of_a = None;
    for (i, of_a) in a.chars().enumerate() {
        let mut row = vec![i + 1];
        let mut left = i + 1;
        let mut last_of_b = None;
        for (j, of_b) in b.iter().copied().enumerate() {
            let cell = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX / 2);
            let mut best =
                (left + 1).min(cell(&previous, j + 1) + 1).min(cell(&previous, j) + usize::from(of_a != of_b));
            if last_of_a == Some(of_b) && last_of_b == Some(of_a) && j > 0 {
                best = best.min(cell(&before_previous, j - 1) + 1);
            }
            row.push(best);
            left = best;
            last_of_b = Some(of_b);
        }
        before_previous = std::mem::replace(&mut previous, row);
        last_of_a = Some(of_a);
    }
    previous.last().copied().unwrap_or(0)
}

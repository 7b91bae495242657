//! Folds the names of many clusters into few words.

use tidegate_model::name::ClusterName;

/// At most this many ranges and names are listed.
const MOST: usize = 3;

/// Returns the names with numbers at their end folded into ranges: `aws-[001-120], gcp-7, and 57 more`.
///
/// At most three ranges and names are listed, those with the most clusters first.
pub fn folded<'a>(names: impl IntoIterator<Item = &'a ClusterName>) -> String {
    let mut numbered: Vec<Numbered<'_>> = names.into_iter().map(|name| Numbered::of(name.as_str())).collect();
    numbered.sort_unstable();
    let mut runs: Vec<Run<'_>> = Vec::new();
    for next in numbered {
        match runs.last_mut() {
            Some(run) if run.takes(&next) => run.add(next),
            _ => runs.push(Run { first: next.digits, last: next, count: 1 }),
        }
    }
    // The longest ranges say most.
    runs.sort_by_key(|run| std::cmp::Reverse(run.count));
    let rest: usize = runs.iter().skip(MOST).map(|run| run.count).sum();
    let mut shown: Vec<String> = runs.iter().take(MOST).map(Run::shown).collect();
    if rest > 0 {
        shown.push(format!("and {rest} more"));
    }
    shown.join(", ")
}

/// A name with the number at its end. Numbers with as many digits are in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Numbered<'a> {
    stem: &'a str,
    length: usize,
    digits: &'a str,
}

impl<'a> Numbered<'a> {
    fn of(name: &'a str) -> Self {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = name.get(stem.len()..).unwrap_or_default();
        Self { stem, length: digits.len(), digits }
    }

    fn number(&self) -> Option<u64> {
        self.digits.parse().ok()
    }
}

/// Names that follow each other.
struct Run<'a> {
    /// The digits of the first name.
    first: &'a str,
    last: Numbered<'a>,
    count: usize,
}

impl<'a> Run<'a> {
    fn takes(&self, next: &Numbered<'a>) -> bool {
        let follows =
            self.last.number().zip(next.number()).is_some_and(|(last, next)| last.checked_add(1) == Some(next));
        follows && self.last.stem == next.stem && self.last.length == next.length
    }

    fn add(&mut self, next: Numbered<'a>) {
        self.last = next;
        self.count += 1;
    }

    fn shown(&self) -> String {
        let Self { first, last: Numbered { stem, digits, .. }, count } = self;
        if *count == 1 { format!("{stem}{digits}") } else { format!("{stem}[{first}-{digits}]") }
    }
}

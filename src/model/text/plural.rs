//! Plurals: resource names as Kubernetes derives them from kinds, nouns after a number, and shortened lists.

/// Returns a number with its noun: `1 cluster`, `2 clusters`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns the first names of a list and the number of the others: `a, b and 3 more`.
pub fn first_of<'a>(names: impl ExactSizeIterator<Item = &'a str>, most: usize) -> String {
    let more = match names.len().saturating_sub(most) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named: Vec<&str> = names.take(most).collect();
    format!("{}{more}", named.join(", "))
}

/// Returns the lowercase English plural of a kind, as most resource names are formed.
pub fn plural(kind: &str) -> String {
    let kind = kind.to_lowercase();
    match kind.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if kind.ends_with(['s', 'x']) || kind.ends_with("ch") || kind.ends_with("sh") => format!("{kind}es"),
        _ => format!("{kind}s"),
    }
}

//! What stays of a message about a workload that is not ready.

/// Returns the part of a message about a workload that stays the same while its numbers change: the name of the
/// workload.
pub fn lasting(why: &str) -> String {
    let words: Vec<&str> = why.split_whitespace().map(|word| word.trim_end_matches([':', ',', ';'])).collect();
    let workload = words.windows(2).find_map(|pair| match pair {
        [resource @ ("deployments" | "daemonsets"), name] if name.contains('/') => Some(format!("{resource} {name}")),
        _ => None,
    });
    workload.map_or_else(|| "its works are not available".to_owned(), |workload| format!("{workload} is not ready"))
}

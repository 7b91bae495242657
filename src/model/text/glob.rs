//! Names with wildcards.

/// Returns `true` if a string matches a pattern, in which `*` matches any string.
///
/// ```
/// use tidegate_model::glob::matches;
///
/// assert!(matches("otel*", "otel-collector"));
/// assert!(!matches("otel", "otel-collector"));
/// ```
pub fn matches(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some((_, behind)) = text.split_once(part) else { return false };
        text = behind;
    }
    text.ends_with(last)
}

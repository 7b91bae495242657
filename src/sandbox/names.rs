//! Name rules that only an API server has, with its messages.
//!
//! # Source
//! `k8s.io/apimachinery/pkg/api/validate/content`.

use tidegate_go::label;

/// Returns the rules that the name of a namespace breaks.
pub(crate) fn namespace(text: &str) -> Vec<String> {
    let mut found = label::too_long(text, label::MAX_LENGTH);
    if !label::is_dns_label(text) {
        found.push(label::DNS_LABEL_RULE.to_owned());
    }
    found
}

/// Returns the rules that a name breaks if it only has to be a valid path segment.
pub(crate) fn path_segment(text: &str) -> Vec<String> {
    if matches!(text, "." | "..") {
        return vec![format!("may not be '{text}'")];
    }
    let found = ["/", "%"].into_iter().filter(|part| text.contains(part));
    found.map(|part| format!("may not contain '{part}'")).collect()
}

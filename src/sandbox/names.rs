//! Rules for names that only an API server has, with its words.
//!
//! # Source
//! `k8s.io/apimachinery/pkg/api/validate/content`.

use tidegate_go::label;

/// Returns what is wrong with the name of a namespace.
pub(crate) fn namespace(text: &str) -> Vec<String> {
    let mut found = label::too_long(text, label::MAX_LENGTH);
    if !label::is_dns_label(text) {
        found.push(label::DNS_LABEL_RULE.to_owned());
    }
    found
}

/// Returns what is wrong with a name that only has to fit into a path.
pub(crate) fn path_segment(text: &str) -> Vec<String> {
    if matches!(text, "." | "..") {
        return vec![format!("may not be '{text}'")];
    }
    let found = ["/", "%"].into_iter().filter(|part| text.contains(part));
    found.map(|part| format!("may not contain '{part}'")).collect()
}

/// Returns what is wrong with the key of a label or annotation, or with the name of a finalizer.
pub(crate) fn label_key(text: &str) -> Vec<String> {
    // A server calls it by another name.
    let told = |fault: String| match fault.strip_prefix("a qualified name ") {
        Some(rest) => format!("a valid label key {rest}"),
        None => fault,
    };
    label::key_faults(text).into_iter().map(told).collect()
}

//! The syntax of names and labels, with the messages of Kubernetes for invalid ones.
//!
//! # Source
//! `k8s.io/apimachinery` pkg/util/validation: `IsQualifiedName`, `IsValidLabelValue`, `IsDNS1123Subdomain`.

const NAME_RULE: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric \
    character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
    '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE_RULE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must \
    start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is \
    '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
/// The rule for DNS labels of RFC 1123.
pub const DNS_LABEL_RULE: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start \
    and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
    '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const OLD_DNS_LABEL_RULE: &str = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an \
    alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is \
    '[a-z]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN_RULE: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and \
    must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
    '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/// Maximum length of a label value, and of the name part of a key.
pub const MAX_LENGTH: usize = 63;

/// Returns the rules that a label key violates.
pub fn key_faults(key: &str) -> Vec<String> {
    let (prefix, name) = match key.split_once('/') {
        None => (None, key),
        Some((_, name)) if name.contains('/') => {
            return vec![format!(
                "a qualified name {NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
        Some((prefix, name)) => (Some(prefix), name),
    };
    let mut problems = Vec::new();
    if let Some(prefix) = prefix {
        if prefix.is_empty() {
            problems.push("prefix part must be non-empty".to_owned());
        } else {
            if prefix.len() > 253 {
                problems.push("prefix part must be no more than 253 bytes".to_owned());
            }
            if !is_subdomain(prefix) {
                problems.push(format!("prefix part {SUBDOMAIN_RULE}"));
            }
        }
    }
    if name.is_empty() {
        problems.push("name part must be non-empty".to_owned());
    } else if name.len() > MAX_LENGTH {
        problems.push(format!("name part must be no more than {MAX_LENGTH} bytes"));
    }
    if !is_name(name) {
        problems.push(format!("name part {NAME_RULE}"));
    }
    problems
}

/// Returns the rules that the key of a label or annotation, or the name of a finalizer, violates, in the words of an API server.
///
/// They are those of [`key_faults`], but where that calls the key a "qualified name", these call it a "valid label key".
///
/// # Source
/// `k8s.io/apimachinery/pkg/api/validate/content`: `IsLabelKey`.
pub fn label_key_faults(key: &str) -> Vec<String> {
    let renamed = |problem: String| match problem.strip_prefix("a qualified name ") {
        Some(rest) => format!("a valid label key {rest}"),
        None => problem,
    };
    key_faults(key).into_iter().map(renamed).collect()
}

/// Returns the rules of RFC 1123 that a DNS subdomain violates.
pub fn subdomain_faults(text: &str) -> Vec<String> {
    let mut problems = too_long(text, 253);
    if !is_subdomain(text) {
        problems.push(SUBDOMAIN_RULE.to_owned());
    }
    problems
}

/// Returns the rules of RFC 1123 that a DNS label violates.
pub fn dns_label_faults(text: &str) -> Vec<String> {
    let mut problems = too_long(text, MAX_LENGTH);
    if !is_dns_label(text) {
        let rule = if is_subdomain(text) { "must not contain dots" } else { DNS_LABEL_RULE };
        problems.push(rule.to_owned());
    }
    problems
}

/// Returns the rules of RFC 1035 that a DNS label violates.
pub fn old_dns_label_faults(text: &str) -> Vec<String> {
    let mut problems = too_long(text, MAX_LENGTH);
    if !is_dns_label(text) || text.starts_with(|c: char| c.is_ascii_digit()) {
        problems.push(OLD_DNS_LABEL_RULE.to_owned());
    }
    problems
}

/// Returns a message if the string has too many bytes.
pub fn too_long(text: &str, limit: usize) -> Vec<String> {
    if text.len() > limit { vec![format!("must be no more than {limit} bytes")] } else { Vec::new() }
}

/// Returns the rules that a label value violates.
pub fn value_faults(value: &str) -> Vec<String> {
    let mut problems = too_long(value, MAX_LENGTH);
    if !value.is_empty() && !is_name(value) {
        problems.push(VALUE_RULE.to_owned());
    }
    problems
}

fn is_name(text: &str) -> bool {
    let edge = |b: Option<u8>| b.is_some_and(|b| b.is_ascii_alphanumeric());
    edge(text.bytes().next())
        && edge(text.bytes().last())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
}

fn is_subdomain(text: &str) -> bool {
    text.split('.').all(is_dns_label)
}

/// Returns `true` if the string is a DNS label of RFC 1123, of any length.
pub fn is_dns_label(text: &str) -> bool {
    let lower = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    text.bytes().next().is_some_and(lower)
        && text.bytes().last().is_some_and(lower)
        && text.bytes().all(|b| lower(b) || b == b'-')
}

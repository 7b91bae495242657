//! Rules for names and labels, with the words of an API server.
//!
//! # Source
//! `k8s.io/apimachinery/pkg/api/validate/content`.

const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', \
     and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
     '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must \
     start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
     '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const LABEL_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', \
     and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for \
     validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const LABEL_KEY: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an \
     alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
     '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

fn is_label(text: &str) -> bool {
    let end = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.starts_with(end) && text.ends_with(end) && text.chars().all(|c| end(c) || c == '-')
}

fn is_key_name(text: &str) -> bool {
    let end = |c: char| c.is_ascii_alphanumeric();
    let inner = |c: char| end(c) || matches!(c, '-' | '_' | '.');
    text.starts_with(end) && text.ends_with(end) && text.chars().all(inner)
}

/// What is wrong with a text: it is too long, it does not fit the rule, or both.
fn wrongs(text: &str, limit: usize, fits: bool, rule: &str) -> Vec<String> {
    let too_long = (text.len() > limit).then(|| format!("must be no more than {limit} bytes"));
    too_long.into_iter().chain((!fits).then(|| rule.to_owned())).collect()
}

/// Says what is wrong with the name of most objects.
pub(crate) fn subdomain(text: &str) -> Vec<String> {
    wrongs(text, 253, text.split('.').all(is_label), SUBDOMAIN)
}

/// Says what is wrong with the name of a namespace.
pub(crate) fn label(text: &str) -> Vec<String> {
    wrongs(text, 63, is_label(text), LABEL)
}

/// Says what is wrong with a name that only has to fit into a path.
pub(crate) fn path_segment(text: &str) -> Vec<String> {
    if matches!(text, "." | "..") {
        return vec![format!("may not be '{text}'")];
    }
    let found = ["/", "%"].into_iter().filter(|part| text.contains(part));
    found.map(|part| format!("may not contain '{part}'")).collect()
}

/// Says what is wrong with the value of a label.
pub(crate) fn label_value(text: &str) -> Vec<String> {
    wrongs(text, 63, text.is_empty() || is_key_name(text), LABEL_VALUE)
}

/// Says what is wrong with the key of a label or annotation, or with the name of a finalizer.
pub(crate) fn label_key(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split('/').collect();
    let (mut found, name) = match parts.as_slice() {
        [name] => (Vec::new(), *name),
        ["", name] => (vec!["prefix part must be non-empty".to_owned()], *name),
        [prefix, name] => (subdomain(prefix).into_iter().map(|why| format!("prefix part {why}")).collect(), *name),
        _ => {
            let optional = " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
            return vec![format!("a valid label key {LABEL_KEY}{optional}")];
        }
    };
    if name.is_empty() {
        found.push("name part must be non-empty".to_owned());
    }
    found.extend(wrongs(name, 63, is_key_name(name), LABEL_KEY).into_iter().map(|why| format!("name part {why}")));
    found
}

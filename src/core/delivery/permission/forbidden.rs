//! Reads which right is missing from the message of an API server.

use super::access::Access;
use tidegate_api::ocm::manifest_work::ManifestResourceMeta;

/// Most bytes of a message that is read.
const LONGEST: usize = 2_000;

/// Returns the request that an API server has refused to an account, if a message says exactly that; `None` for any other message, for one
/// that was cut, and for one with several refusals.
///
/// # Source
/// Kubernetes `staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters`, `forbiddenMessage`: `NAME is forbidden: User "U" cannot
/// VERB resource "R" in API group "G"`, with `in the namespace "N"` or `at the cluster scope`, and a reason after a colon.
pub fn forbidden(message: &str) -> Option<Access> {
    if message.len() > LONGEST || message.contains(char::is_control) {
        return None;
    }
    let (before, rest) = message.split_once(" is forbidden: User ")?;
    if rest.contains(" is forbidden: ") {
        return None;
    }
    let (_, rest) = quoted(rest)?;
    let (verb, rest) = rest.strip_prefix(" cannot ")?.split_once(' ')?;
    let (resource, rest) = quoted(rest.strip_prefix("resource ")?)?;
    let (group, rest) = quoted(rest.strip_prefix(" in API group ")?)?;
    let (namespace, rest) = match rest.strip_prefix(" at the cluster scope") {
        Some(rest) => ("", rest),
        None => quoted(rest.strip_prefix(" in the namespace ")?)?,
    };
    let is_whole = rest.is_empty() || rest.starts_with(": ") && rest.len() > 2;
    let is_name = |text: &str, more: &[u8]| {
        let is_of_name = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || more.contains(&b);
        (1..=253).contains(&text.len()) && text.bytes().all(is_of_name)
    };
    let is_valid = verb.bytes().all(|b| b.is_ascii_lowercase())
        && (1..=32).contains(&verb.len())
        && is_name(resource, b"-/")
        && (group.is_empty() || is_name(group, b"-."))
        && (namespace.is_empty() || is_name(namespace, b"-"));
    let name = named(before).unwrap_or_default();
    (is_whole && is_valid).then(|| Access {
        group: group.to_owned(),
        resource: resource.to_owned(),
        namespace: namespace.to_owned(),
        name: name.to_owned(),
        verb: verb.to_owned(),
    })
}

/// Returns the request that a message about an object says the work agent may not make; `None` if it is about another resource or namespace.
pub(crate) fn forbidden_for(meta: &ManifestResourceMeta, message: &str) -> Option<Access> {
    let is_about = |access: &Access| {
        access.group == meta.group && access.resource == meta.resource && access.namespace == meta.namespace
    };
    forbidden(message).filter(is_about)
}

/// Returns the quoted string at the start of a text, and the rest. Names of accounts and of resources have no quotes.
fn quoted(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('"')?.split_once('"')
}

/// Returns the quoted name at the end of a text.
fn named(text: &str) -> Option<&str> {
    text.strip_suffix('"')?.rsplit_once('"').map(|(_, name)| name)
}

//! Asks the hub which permissions this account has.

use std::collections::BTreeSet;
use std::fmt;

use futures::StreamExt as _;
use k8s_openapi::api::rbac::v1::PolicyRule;
use serde_json::{Value, json};

use super::request::{Ask, Requests, Resource};
use crate::doctor::facts::{Grant, Review};
use crate::doctor::{Known, PERMISSIONS, Permission};

const REVIEWS: Resource = Resource::new("/apis/authorization.k8s.io/v1", "selfsubjectaccessreviews");
/// Number of reviews under way.
const CONCURRENT: usize = 8;

/// Asks the hub about every verb on every resource of the table.
pub(super) async fn reviews(requests: &Requests) -> Known<Vec<Review>> {
    let rows = PERMISSIONS.iter().flat_map(|permission| {
        let pairs =
            permission.resources.iter().flat_map(|resource| permission.verbs.iter().map(move |verb| (resource, verb)));
        pairs.map(move |(resource, verb)| (permission, *resource, *verb))
    });
    let answers =
        futures::stream::iter(rows).map(|(permission, resource, verb)| review(requests, permission, resource, verb));
    let answers: Vec<Known<Review>> = answers.buffered(CONCURRENT).collect().await;
    answers.into_iter().collect()
}

async fn review(
    requests: &Requests,
    permission: &'static Permission,
    resource: &'static str,
    verb: &'static str,
) -> Known<Review> {
    let asked = Asked { group: permission.group, resource, name: permission.name, verb };
    Ok(Review { permission, resource, verb, is_allowed: is_allowed(requests, asked).await? })
}

/// A verb on the objects of a resource, or on the only one with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Asked<'a> {
    group: &'a str,
    resource: &'a str,
    name: &'a str,
    verb: &'a str,
}

impl fmt::Display for Asked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { group, resource, name, verb } = self;
        let (dot, space) = (if group.is_empty() { "" } else { "." }, if name.is_empty() { "" } else { " " });
        write!(f, "{verb} {resource}{dot}{group}{space}{name}")
    }
}

async fn is_allowed(requests: &Requests, asked: Asked<'_>) -> Known<bool> {
    let (plural, subresource) = asked.resource.split_once('/').unwrap_or((asked.resource, ""));
    let review = json!({
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "spec": { "resourceAttributes": {
            "group": asked.group, "resource": plural, "subresource": subresource, "name": asked.name, "verb": asked.verb,
        } },
    });
    let answer = requests.answer(&REVIEWS.path(), Ask::Create(&review)).await;
    let (answer, _) = answer.map_err(|refusal| REVIEWS.unknown("create", refusal))?;
    Ok(answer.pointer("/status/allowed").and_then(Value::as_bool).unwrap_or_default())
}

/// Asks the hub about every permission of these rules. Rules for URLs are left out.
pub(super) async fn grants(requests: &Requests, rules: &[PolicyRule]) -> Known<Vec<Grant>> {
    let all: BTreeSet<Asked<'_>> = rules.iter().flat_map(asked).collect();
    let answers = futures::stream::iter(all)
        .map(async |asked| Ok(Grant { what: asked.to_string(), is_allowed: is_allowed(requests, asked).await? }));
    let answers: Vec<Known<Grant>> = answers.buffered(CONCURRENT).collect().await;
    answers.into_iter().collect()
}

/// Returns each permission of a rule.
fn asked(rule: &PolicyRule) -> impl Iterator<Item = Asked<'_>> {
    let names = rule.resource_names.iter().flatten().map(String::as_str);
    let names: Vec<&str> =
        if rule.resource_names.as_ref().is_none_or(Vec::is_empty) { vec![""] } else { names.collect() };
    let groups = rule.api_groups.iter().flatten();
    let resources = groups.flat_map(|group| rule.resources.iter().flatten().map(move |resource| (group, resource)));
    resources.flat_map(move |(group, resource)| {
        let pairs: Vec<Asked<'_>> = rule
            .verbs
            .iter()
            .flat_map(|verb| names.iter().map(move |name| Asked { group, resource, name, verb }))
            .collect();
        pairs
    })
}

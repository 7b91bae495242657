//! The smallest ClusterRole that allows what the work agent lacks.

use std::collections::{BTreeMap, BTreeSet};

use k8s_openapi::api::rbac::v1::PolicyRule;

use super::access::Access;

/// Verbs that say more than what they do to one object: with them, an account may give itself any right.
const POWERS: [&str; 3] = ["bind", "escalate", "impersonate"];
/// Verbs whose requests have the name of an object.
const NAMED: [&str; 4] = ["delete", "get", "patch", "update"];

/// The rules that allow requests, and the requests that no rule should allow.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Allowing {
    /// The rules, sorted. None has a wildcard.
    pub rules: Vec<PolicyRule>,
    /// Requests that need a right over other rights, or that are about something that cannot be named.
    pub refused: Vec<Access>,
}

/// Returns the smallest rules that allow requests. Rules for verbs that need no others have the names of the objects, but those with
/// `create` cannot have them. Who may write an object may also get it: the agent reads what it writes.
pub fn allowing(requests: &[Access]) -> Allowing {
    let (refused, plain): (Vec<&Access>, Vec<&Access>) = requests.iter().partition(|access| is_refused(access));
    let mut resources: BTreeMap<(&str, &str), BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
    for access in plain {
        let names = resources.entry((&access.group, &access.resource)).or_default();
        names.entry(&access.name).or_default().extend(["get", &*access.verb]);
    }
    let mut rules: BTreeMap<Grouping<'_>, BTreeSet<&str>> = BTreeMap::new();
    for ((group, resource), names) in resources {
        let is_named =
            |name: &str, verbs: &BTreeSet<&str>| !name.is_empty() && verbs.iter().all(|verb| NAMED.contains(verb));
        if names.iter().all(|(name, verbs)| is_named(name, verbs)) {
            let mut same: BTreeMap<BTreeSet<&str>, BTreeSet<&str>> = BTreeMap::new();
            for (name, verbs) in names {
                same.entry(verbs).or_default().insert(name);
            }
            for (verbs, names) in same {
                rules.entry(Grouping { group, names, verbs }).or_default().insert(resource);
            }
        } else {
            let verbs = names.into_values().flatten().collect();
            rules.entry(Grouping { group, names: BTreeSet::new(), verbs }).or_default().insert(resource);
        }
    }
    let mut rules: Vec<PolicyRule> = rules.into_iter().map(|(grouping, resources)| grouping.rule(&resources)).collect();
    rules.sort_by(|one, other| {
        let key = |rule: &PolicyRule| (rule.api_groups.clone(), rule.resources.clone(), rule.resource_names.clone());
        key(one).cmp(&key(other))
    });
    Allowing { rules, refused: refused.into_iter().cloned().collect() }
}

/// What the resources of one rule have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Grouping<'a> {
    group: &'a str,
    names: BTreeSet<&'a str>,
    verbs: BTreeSet<&'a str>,
}

impl Grouping<'_> {
    fn rule(self, resources: &BTreeSet<&str>) -> PolicyRule {
        let owned = |texts: &BTreeSet<&str>| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        PolicyRule {
            api_groups: Some(vec![self.group.to_owned()]),
            resources: Some(owned(resources)),
            resource_names: Some(owned(&self.names)).filter(|names| !names.is_empty()),
            verbs: owned(&self.verbs),
            ..PolicyRule::default()
        }
    }
}

/// Returns `true` for a request that no role is printed for.
fn is_refused(access: &Access) -> bool {
    let is_plain =
        |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-./".contains(&b));
    POWERS.contains(&access.verb.as_str())
        || !is_plain(&access.resource)
        || !(access.group.is_empty() || is_plain(&access.group))
}

//! Properties of the printed rules, judged by an evaluator of its own.

use std::collections::BTreeSet;

use k8s_openapi::api::rbac::v1::PolicyRule;
use proptest::prelude::*;
use proptest::sample::select;

use tidegate_delivery::{Access, allowing, allows, held, missing};

use super::access;

/// Returns `true` if one of the rules allows a request: the definition of Kubernetes in other words, as sets of complete tuples.
fn is_allowed(rules: &[PolicyRule], access: &Access) -> bool {
    rules.iter().any(|rule| {
        let verbs: BTreeSet<&str> = rule.verbs.iter().map(String::as_str).collect();
        let groups: BTreeSet<&str> = rule.api_groups.iter().flatten().map(String::as_str).collect();
        let resources: BTreeSet<&str> = rule.resources.iter().flatten().map(String::as_str).collect();
        let names: BTreeSet<&str> = rule.resource_names.iter().flatten().map(String::as_str).collect();
        let any = |set: &BTreeSet<&str>, wanted: &str| !set.is_disjoint(&["*", wanted].into());
        let is_named = match access.verb.as_str() {
            "create" => names.is_empty(),
            _ => names.is_empty() || names.contains(access.name.as_str()),
        };
        any(&verbs, &access.verb) && any(&groups, &access.group) && any(&resources, &access.resource) && is_named
    })
}

const RESOURCES: [(&str, &str); 8] = [
    ("", "configmaps"),
    ("", "resourcequotas"),
    ("apps", "controllerrevisions"),
    ("apps", "deployments"),
    ("apiextensions.k8s.io", "customresourcedefinitions"),
    ("standard.oam.dev", "rollouts"),
    ("example.com", "rollouts"),
    ("admissionregistration.k8s.io", "mutatingwebhookconfigurations"),
];

/// Generates what objects need: each of them all verbs, or all but `delete`.
fn requests() -> impl Strategy<Value = Vec<Access>> {
    let object = (select(&RESOURCES[..]), select(&["a", "b", "c"][..]), any::<bool>());
    prop::collection::vec(object, 0..12).prop_map(|objects| {
        let all = objects.into_iter().flat_map(|((group, resource), name, stays)| {
            let verbs = ["get", "create", "update", "patch", "delete"];
            let verbs = verbs.into_iter().filter(move |verb| !stays || *verb != "delete");
            verbs.map(move |verb| access(group, resource, name, verb))
        });
        all.collect()
    })
}

/// Generates rules that an operator has granted.
fn granted() -> impl Strategy<Value = Vec<PolicyRule>> {
    let verbs = prop::collection::vec(select(&["get", "create", "update", "patch", "delete", "*"][..]), 1..3);
    let rule = (select(&RESOURCES[..]), verbs, any::<bool>(), any::<bool>());
    prop::collection::vec(rule, 0..3).prop_map(|rules| {
        let rule =
            |((group, resource), verbs, any_group, any_resource): ((&str, &str), Vec<&str>, bool, bool)| PolicyRule {
                api_groups: Some(vec![if any_group { "*" } else { group }.to_owned()]),
                resources: Some(vec![if any_resource { "*" } else { resource }.to_owned()]),
                verbs: verbs.into_iter().map(str::to_owned).collect(),
                ..PolicyRule::default()
            };
        rules.into_iter().map(rule).collect()
    })
}

proptest! {
    #[test]
    fn the_role_allows_what_is_missing_and_nothing_that_no_object_needs(needed in requests(), granted in granted()) {
        let known = [held(), granted].concat();
        let printed = allowing(&missing(needed.clone(), &known)).rules;
        let all = [known.clone(), printed.clone()].concat();
        for access in &needed {
            prop_assert!(is_allowed(&all, access), "{access}");
            prop_assert_eq!(is_allowed(&known, access), known.iter().any(|rule| allows(rule, access)), "{}", access);
        }
        for rule in &printed {
            let tuples = rule.api_groups.iter().flatten().flat_map(|group| {
                rule.resources.iter().flatten().flat_map(move |resource| rule.verbs.iter().map(move |verb| (group, resource, verb)))
            });
            for (group, resource, verb) in tuples {
                prop_assert!(![group, resource, verb].iter().any(|text| text.as_str() == "*"), "{:?}", rule);
                let is_needed = |name: Option<&String>| needed.iter().any(|access| {
                    (&access.group, &access.resource, &access.verb) == (group, resource, verb) && name.is_none_or(|name| access.name == *name)
                });
                match &rule.resource_names {
                    None => prop_assert!(is_needed(None), "{verb} {resource}.{group}"),
                    Some(names) => {
                        prop_assert!(verb != "create");
                        for name in names {
                            prop_assert!(is_needed(Some(name)), "{verb} {resource}.{group} {name}");
                        }
                    }
                }
            }
        }
        // Nothing is printed about a resource of which everything is allowed.
        let has_gap = |rule: &PolicyRule| needed.iter().any(|access| is_allowed(std::slice::from_ref(rule), access) && !is_allowed(&known, access));
        prop_assert!(printed.iter().all(has_gap), "{:?}", printed);
        prop_assert_eq!(printed.is_empty(), needed.iter().all(|access| is_allowed(&known, access)));
    }

    #[test]
    fn a_rule_is_read_as_kubernetes_reads_it(rules in granted(), needed in requests()) {
        for access in &needed {
            prop_assert_eq!(rules.iter().any(|rule| allows(rule, access)), is_allowed(&rules, access));
        }
    }
}

#[test]
fn subresources_and_names_are_told_apart() {
    let rule = |resources: &[&str], names: &[&str]| PolicyRule {
        api_groups: Some(vec!["apps".to_owned()]),
        resources: Some(resources.iter().map(|&text| text.to_owned()).collect()),
        resource_names: Some(names.iter().map(|&text| text.to_owned()).collect()),
        verbs: vec!["get".to_owned(), "create".to_owned()],
        ..PolicyRule::default()
    };
    let scale = access("apps", "deployments/scale", "a", "get");
    assert!(allows(&rule(&["*/scale"], &[]), &scale) && !allows(&rule(&["*/status"], &[]), &scale));
    assert!(!allows(&rule(&["deployments"], &[]), &scale) && allows(&rule(&["*"], &[]), &scale));
    assert!(allows(&rule(&["deployments/scale"], &["a"]), &scale) && !allows(&rule(&["*"], &["b"]), &scale));
    // The name of an object that is created is not known when the request is checked.
    let create = access("apps", "deployments", "a", "create");
    assert!(!allows(&rule(&["*"], &["a"]), &create) && allows(&rule(&["*"], &[]), &create));
    let urls = PolicyRule {
        non_resource_urls: Some(vec!["*".to_owned()]),
        verbs: vec!["*".to_owned()],
        ..PolicyRule::default()
    };
    assert!(!allows(&urls, &create));
}

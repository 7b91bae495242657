//! RolloutPolicies as they are declared: what is wrong with them, where, and what that blocks.

use std::collections::BTreeMap;

use tidegate_model::tree::Tree;
use tidegate_repository::{Loaded, load};

/// The example repository with a policy, whose `spec` is given.
fn with(spec: &str) -> Loaded {
    let mut tree = crate::example_tree::tree();
    let spec: String = spec.lines().map(|line| format!("  {line}\n")).collect();
    let text = format!("apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {{name: p}}\nspec:\n{spec}");
    tree.files.insert("fleet/policy.yaml".to_owned(), text.into_bytes());
    let settings = tree.files.entry("tidegate.toml".to_owned()).or_default();
    settings.extend(b"\n[people]\nsre = ['ada@example.com']\n");
    load(&tree, "")
}

fn told(loaded: &Loaded) -> Vec<String> {
    loaded.complaints.iter().map(ToString::to_string).collect()
}

#[test]
fn a_policy_is_read_and_blocks_nothing() {
    let loaded = with(
        "selector: {addOns: [hello-template], clusters: {matchLabels: {fleet: demo}}}\n\
         approvals: [{name: prod, count: 2, of: [sre], before: [canary]}]\n\
         windows: [{name: nights, timeZone: Europe/Berlin, days: [Mon-Thu], from: '22:00', to: '05:00'}]\n\
         limits: [{name: regions, label: cloud, maxValues: 1}]\n\
         unreachable: {action: Park, maxShare: 10%}\n\
         onFailure: {action: Rollback}",
    );
    assert_eq!(told(&loaded), Vec::<String>::new());
    assert_eq!(loaded.repository.policies.len(), 1);
    assert!(loaded.repository.blocked.is_empty());
}

#[test]
fn each_mistake_in_a_policy_has_a_place_and_a_remedy() {
    let mistakes: BTreeMap<&str, &str> = [
        ("unknown field", "window: []"),
        ("time zone", "windows: [{name: w, timeZone: Europe/Berln, from: '01:00', to: '02:00'}]"),
        ("time", "windows: [{name: w, from: '25:00', to: '02:00'}]"),
        ("day", "windows: [{name: w, days: [Monday], from: '01:00', to: '02:00'}]"),
        ("freeze", "freezes: [{name: f, from: '2026-12-24', to: '2026-12-20'}]"),
        ("no such date", "freezes: [{name: f, from: '2026-02-30', to: '2026-03-20'}]"),
        ("limit without a limit", "limits: [{name: l, label: region}]"),
        ("values without a label", "limits: [{name: l, maxValues: 1}]"),
        ("duration", "unreachable: {action: Park, soak: 5 minutes}"),
        ("action", "onFailure: {action: rollback}"),
        ("nobody may approve", "approvals: [{name: a, of: []}]"),
        ("role", "approvals: [{name: a, of: ['role:boss']}]"),
        ("team", "approvals: [{name: a, of: ['team:leads', 'team:platform/leads']}]"),
        ("group", "approvals: [{name: a, of: [sre], before: [canaries]}]"),
        ("add-on", "selector: {addOns: [hello-tmplate]}"),
        ("order", "order: [{after: hello-tmplate}]"),
        ("label", "selector: {clusters: {matchLabels: {'a b': c}}}"),
        ("check", "checks: [{name: c}]"),
        ("two checks", "checks: [{name: c, cel: {expression: 'true'}, http: {url: 'http://x'}}]"),
    ]
    .into();
    let lines = mistakes.iter().map(|(name, spec)| {
        let loaded = with(spec);
        let told: String = told(&loaded).into_iter().map(|line| format!("  {line}\n")).collect();
        assert!(!told.is_empty(), "{name} is not found");
        format!("{name}\n{told}")
    });
    insta::assert_snapshot!("policy_mistakes", lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn an_error_in_a_policy_blocks_the_addons_that_it_selects() {
    let loaded = with("selector: {addOns: [hello-template]}\nonFailure: {action: Rolback}");
    let blocked: Vec<&str> = loaded.repository.blocked.keys().map(|addon| addon.as_str()).collect();
    assert_eq!(blocked, ["hello-template"]);
}

#[test]
fn addons_that_wait_for_each_other_are_found() {
    let mut tree = crate::example_tree::tree();
    let policy = |name: &str, addon: &str, after: &str| {
        format!(
            "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {{name: {name}}}\nspec:\n  selector: {{addOns: \
             [{addon}]}}\n  order: [{{after: {after}}}]\n"
        )
    };
    let mut put = |name: &str, addon: &str, after: &str| {
        tree.files.insert(format!("fleet/{name}.yaml"), policy(name, addon, after).into_bytes());
    };
    put("one", "hello-template", "managed-serviceaccount");
    put("two", "managed-serviceaccount", "hello-template");
    let loaded = load(&Tree { ..tree }, "");
    insta::assert_snapshot!("policy_circle", told(&loaded).join("\n"));
}

#[test]
fn windows_of_two_policies_that_never_meet_are_found() {
    let with = |selectors: [&str; 2], first: &str, second: &str| {
        let mut tree = crate::example_tree::tree();
        for ((name, times), selector) in [("one", first), ("two", second)].into_iter().zip(selectors) {
            let (from, to) = times.split_once('-').unwrap();
            let text = format!(
                "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {{name: {name}}}\nspec:{selector}\n  windows:\n  - {{name: w, \
                 timeZone: Europe/Berlin, from: '{from}', to: '{to}'}}\n"
            );
            tree.files.insert(format!("fleet/{name}.yaml"), text.into_bytes());
        }
        told(&load(&tree, ""))
    };
    assert_eq!(with([""; 2], "22:00-05:00", "04:00-06:00"), Vec::<String>::new());
    let [eu, us] =
        ["eu", "us"].map(|region| format!("\n  selector: {{clusters: {{matchLabels: {{region: {region}}}}}}}"));
    assert_eq!(with([&eu, &us], "22:00-05:00", "05:00-06:00"), Vec::<String>::new(), "they may select other clusters");
    for selectors in [[&eu, ""], ["", &eu], [&eu, &eu]] {
        assert_eq!(with(selectors, "22:00-05:00", "05:00-06:00").len(), 2, "{selectors:?}");
    }
    assert_eq!(
        with([""; 2], "22:00-05:00", "05:00-06:00"),
        [("one", "two"), ("two", "one")].map(|(file, other)| format!(
            "fleet/{file}.yaml:5:3: spec.windows are never open together with those of RolloutPolicy {other}, so a cluster \
             that both select never starts; change one of them"
        ))
    );
}

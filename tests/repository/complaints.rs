//! One small mistake at a time: where it is found, and what is said of it.

use super::{ADDON, PLACEMENT, TEMPLATE, complaints, loaded, tree};

/// The only complaint about the good repository with one file replaced.
fn only(path: &str, text: &str) -> String {
    let loaded = loaded(&[(path, text)]);
    let found = complaints(&loaded);
    assert_eq!(found.len(), 1, "{found:#?}");
    found.into_iter().next().unwrap()
}

#[test]
fn the_repository_that_all_others_differ_from_is_good() {
    assert_eq!(complaints(&loaded(&[])), Vec::<String>::new());
}

#[test]
fn mistakes_in_an_addon_are_found_where_they_are() {
    let cases = [
        (
            ("type: Progressive", "type: Progresive"),
            "a.yaml:16:17: spec.installStrategy.placements[0].rolloutStrategy.type is \"Progresive\"; write one of All, \
             Progressive, ProgressivePerGroup; did you mean \"Progressive\"?",
        ),
        (
            ("type: Placements", "type: Placement"),
            "a.yaml:11:11: spec.installStrategy.type is \"Placement\"; write one of Manual, Placements; did you mean \"Placements\"?",
        ),
        (
            ("maxConcurrency: 10", "maxConcurrency: ten"),
            "a.yaml:18:29: spec.installStrategy.placements[0].rolloutStrategy.progressive.maxConcurrency is \"ten\"; write a \
             number such as 10 or a per cent such as 25%",
        ),
        (
            ("maxConcurrency: 10", "maxConcurrency: \"3\""),
            "a.yaml:18:29: spec.installStrategy.placements[0].rolloutStrategy.progressive.maxConcurrency is \"3\"; write 3 \
             without quotes, or a per cent such as 25%",
        ),
        (
            ("minSuccessTime: 5s", "minSuccessTime: 5"),
            "a.yaml:19:29: spec.installStrategy.placements[0].rolloutStrategy.progressive.minSuccessTime is the number 5; write \
             a duration such as \"5s\" or \"5m\"",
        ),
        (
            ("minSuccessTime: 5s", "minSuccessTime: soon"),
            "a.yaml:19:29: spec.installStrategy.placements[0].rolloutStrategy.progressive.minSuccessTime: \"soon\" is not a \
             duration: write a number with a unit, such as \"30s\", \"5m\" or \"1h30m\"",
        ),
        (
            ("progressDeadline: 10m", "progressDeadline: 10x"),
            "a.yaml:20:31: spec.installStrategy.placements[0].rolloutStrategy.progressive.progressDeadline is \"10x\"; write a \
             duration such as 30s, 10m or 1h, or None",
        ),
        (
            ("rolloutStrategy:", "rolloutStrategie:"),
            "a.yaml:15:9: unknown field spec.installStrategy.placements[0].rolloutStrategie; did you mean \"rolloutStrategy\"?",
        ),
        (
            ("groupName: canary", "groupName: canarys"),
            "a.yaml:22:28: Placement ocm/fleet defines no decision group \"canarys\"; did you mean \"canary\"?",
        ),
        (
            ("name: fleet", "name: flete"),
            "a.yaml:14:15: the repository has no Placement ocm/flete; did you mean \"fleet\"?",
        ),
        (
            ("namespace: ocm", "namespace: acm"),
            "a.yaml:14:15: the repository has no Placement acm/fleet; there is one in namespace \"ocm\"",
        ),
        (
            ("name: hello-1", "name: hello-2"),
            "a.yaml:9:13: the repository has no addontemplates \"hello-2\"; did you mean \"hello-1\"?",
        ),
        (
            ("resource: addontemplates", "resource: addontemplate"),
            "a.yaml:8:17: addon.open-cluster-management.io has no configurations \"addontemplate\"; did you mean \"addontemplates\"?",
        ),
        (
            ("v1beta1", "v1beta2"),
            "a.yaml:1:13: ClusterManagementAddOn is not known as addon.open-cluster-management.io/v1beta2; write \
             addon.open-cluster-management.io/v1alpha1 or addon.open-cluster-management.io/v1beta1",
        ),
        (
            (
                "  name: hello\n",
                "  name: hello\n  annotations: {addon.open-cluster-management.io/lifecycle: addon-manager}\n",
            ),
            "a.yaml:5:61: upstream's add-on manager would drive this add-on too; remove the annotation \
             addon.open-cluster-management.io/lifecycle",
        ),
        (
            ("  name: hello\n", "  name: Hello\n"),
            "a.yaml:4:9: metadata.name \"Hello\" is invalid: only lower-case letters, digits, '-' and '.' are allowed",
        ),
    ];
    let told = cases.map(|((from, to), expected)| {
        assert!(ADDON.contains(from));
        (only("a.yaml", &ADDON.replacen(from, to, 1)), expected.to_owned())
    });
    let wrong: Vec<_> = told.iter().filter(|(told, expected)| told != expected).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_budget_without_a_deadline_is_only_a_warning() {
    let text = ADDON.replace("progressDeadline: 10m", "maxFailures: 5");
    let expected = "a.yaml:20:26: warning: spec.installStrategy.placements[0].rolloutStrategy.progressive.maxFailures counts nothing \
                    without progressDeadline: a cluster fails by taking too long; add one";
    assert_eq!(only("a.yaml", &text), expected);
    let loaded = loaded(&[("a.yaml", &text)]);
    assert!(loaded.repository.blocked.is_empty() && loaded.repository.may_prune);
}

#[test]
fn mistakes_in_other_objects_are_found_where_they_are() {
    let binding = "apiVersion: cluster.open-cluster-management.io/v1beta2\nkind: ManagedClusterSetBinding\n\
                   metadata: {name: east, namespace: ocm}\nspec:\n  clusterSet: west\n";
    let own = "apiVersion: addon.open-cluster-management.io/v1beta1\nkind: ManagedClusterAddOn\n\
               metadata: {name: helo, namespace: east-1}\nspec: {}\n";
    let cases = [
        (
            ("b.yaml", binding.to_owned()),
            "b.yaml:5:15: the binding is named \"east\" and binds \"west\"; OCM wants both the same",
        ),
        (
            ("m.yaml", own.to_owned()),
            "m.yaml:3:18: the repository has no ClusterManagementAddOn \"helo\"; did you mean \"hello\"?",
        ),
        (("u.yaml", "a: [\n".to_owned()), "u.yaml:1:4: not valid YAML: unclosed bracket '[' at line 1, column 4"),
        (
            ("k.yaml", "kind: Secret\n".to_owned()),
            "k.yaml:1:1: apiVersion is missing; every object says its apiVersion and kind",
        ),
        (
            ("n.yaml", "apiVersion: v1\nkind: Secret\n".to_owned()),
            "n.yaml:1:1: metadata.name is missing; every object needs a name",
        ),
        (
            ("kustomization.yaml", "resources: []\n".to_owned()),
            "kustomization.yaml: kustomize overlays are not rendered; point repository.path at plain YAML",
        ),
        (
            ("q.yaml", PLACEMENT.to_owned()),
            "q.yaml:1:1: Placement ocm/fleet is declared twice; the first is at p.yaml:1:1: keep one of them",
        ),
        (
            ("p.yaml", PLACEMENT.replace("kind: Placement", "kind: Placment")),
            "p.yaml:2:7: cluster.open-cluster-management.io has no kind \"Placment\"; did you mean \"Placement\"?",
        ),
        (
            ("t.yaml", TEMPLATE.replace("name: hello}}", "name: \"{{hello\"}}")),
            "t.yaml:10:11: spec.agentSpec.workload.manifests[0] has {{ without }}; write variables as {{NAME}}",
        ),
        (
            ("t.yaml", TEMPLATE.replace("kind: ConfigMap, ", "")),
            "t.yaml:10:11: spec.agentSpec.workload.manifests[0] is no object; give it apiVersion, kind and metadata.name",
        ),
        (
            ("tidegate.toml", "[prune]\nmax_percnt = 3\n".to_owned()),
            "tidegate.toml:2:1: unknown field `max_percnt`, expected `enabled` or `max_percent`",
        ),
        (
            ("tidegate.toml", "[prune]\nmax_percent = 101\n".to_owned()),
            "tidegate.toml: prune.max_percent is 101; write a number from 0 to 100",
        ),
    ];
    for ((path, text), expected) in cases {
        let found = complaints(&loaded(&[(path, &text)]));
        assert!(found.iter().any(|complaint| complaint == expected), "{path}: expected {expected:?} among {found:#?}");
    }
}

#[test]
fn every_mistake_of_a_revision_is_told_in_order() {
    let text =
        ADDON.replace("type: Progressive", "type: Progresive").replace("maxConcurrency: 10", "maxConcurrency: ten");
    let found = complaints(&loaded(&[("a.yaml", &text), ("z.yaml", "a: [")]));
    let places: Vec<&str> = found.iter().filter_map(|complaint| complaint.split(": ").next()).collect();
    assert_eq!(places, ["a.yaml:16:17", "a.yaml:18:29", "z.yaml:1:4"]);
}

#[test]
fn a_complaint_blocks_the_addons_that_rest_on_its_object_and_no_other() {
    let loaded = loaded(&[("t.yaml", &TEMPLATE.replace("addonName", "addOnName"))]);
    assert!(loaded.complaints.iter().all(|complaint| complaint.addons.iter().map(ToString::to_string).eq(["hello"])));
    assert_eq!(loaded.repository.blocked.keys().map(ToString::to_string).collect::<Vec<_>>(), ["hello"]);
    assert!(!loaded.repository.may_prune);
}

#[test]
fn a_repository_without_declarations_is_a_mistake() {
    let loaded = tidegate::repository::load(&tree(&[("README.md", "nothing")]), "prod");
    let expected = "tidegate.toml: there is no declaration below \"prod\"; name the right directory in repository.path";
    assert_eq!(complaints(&loaded), [expected]);
}

//! Tests with one small mistake each, which check the place and the wording of the complaint.

use std::sync::Arc;

use tidegate_model::diagnostic::Severity;
use tidegate_repository::load;

use super::fixture::{complaints, edited, with};

/// A file, a string to replace, and its replacement.
type Case<'a> = (&'a str, &'a str, &'a str);

/// Compares the complaints that each case causes with a snapshot.
fn check(name: &str, cases: &[Case<'_>]) {
    let told = cases.iter().map(|(file, from, to)| {
        let complaints = complaints(&edited(file, from, to));
        let lines: String = complaints.iter().map(|complaint| format!("  {complaint}\n")).collect();
        format!("{file}: {from:?} becomes {to:?}\n{lines}")
    });
    insta::assert_snapshot!(name, told.collect::<Vec<_>>().join("\n"));
}

#[test]
fn misspelled_fields_get_a_suggestion() {
    check(
        "misspelled_fields_get_a_suggestion",
        &[
            ("addon.yaml", "rolloutStrategy:", "rolloutStratgy:"),
            ("addon.yaml", "displayName", "colour"),
            ("addon.yaml", "  annotations:", "  anotations:"),
            ("config.yaml", "value: '4'", "vlaue: '4'"),
        ],
    );
}

#[test]
fn values_of_a_wrong_type_get_a_remedy() {
    check(
        "values_of_a_wrong_type_get_a_remedy",
        &[
            ("addon.yaml", "minSuccessTime: 5m", "minSuccessTime: 5"),
            ("config.yaml", "value: '4'", "value: 4"),
            ("config.yaml", "value: '4'", "value: yes"),
            ("placement.yaml", "clusterSets: [global]", "clusterSets: global"),
            ("placement.yaml", "clusterSets: [global]", "numberOfClusters: '3'"),
            ("placement.yaml", "clusterSets: [global]", "numberOfClusters: 3000000000"),
            ("plain.yaml", "hubAcceptsClient: true", "hubAcceptsClient: 'true'"),
            ("plain.yaml", "tier: canary", "tier: true"),
            ("plain.yaml", "tier: canary", "tier: [canary]"),
        ],
    );
}

#[test]
fn values_out_of_bounds_get_a_remedy() {
    check(
        "values_out_of_bounds_get_a_remedy",
        &[
            ("addon.yaml", "type: Progressive", "type: Progresive"),
            ("addon.yaml", "type: Placements", "type: Placement"),
            ("addon.yaml", "type: Placements", "type: Everywhere"),
            ("addon.yaml", "maxConcurrency: 25%", "maxConcurrency: ten"),
            ("addon.yaml", "maxConcurrency: 25%", "maxConcurrency: '3'"),
            ("addon.yaml", "maxConcurrency: 25%", "maxConcurrency: -1"),
            ("addon.yaml", "maxFailures: 1", "maxFailures: '1'"),
            ("addon.yaml", "minSuccessTime: 5m", "minSuccessTime: 5 minutes"),
            ("addon.yaml", "minSuccessTime: 5m", "minSuccessTime: -5m"),
            ("addon.yaml", "progressDeadline: 10m", "progressDeadline: 10d"),
            ("addon.yaml", "progressDeadline: 10m", "progressDeadline: 10mm"),
            ("placement.yaml", "groupName: canary", "groupName: c"),
            ("placement.yaml", "    groupStrategy:\n", "    groupStrategy:\n      clustersPerDecisionGroup: '5'\n"),
            ("placement.yaml", "spec:\n", "spec:\n  numberOfClusters: -1\n"),
            ("placement.yaml", "spec:\n", "spec:\n  prioritizerPolicy: { mode: Exactly }\n"),
            ("placement.yaml", "spec:\n", "spec:\n  tolerations: [{ key: k, operator: Exist }]\n"),
            (
                "placement.yaml",
                "              matchLabels:\n                tier: canary\n",
                "              matchExpressions: [{ key: tier, operator: Inn, values: [canary] }]\n",
            ),
            ("placement.yaml", "clusterSets: [global]", "clusterSets: [globall]"),
            ("addon.yaml", "type: Progressive\n", "type: All\n"),
            ("placement.yaml", "spec:\n", "spec:\n  tolerations: [{ key: k, operator: Exists, value: v }]\n"),
            ("placement.yaml", "spec:\n", "spec:\n  tolerations: [{ value: v }]\n"),
            (
                "placement.yaml",
                "spec:\n",
                "spec:\n  prioritizerPolicy: { configurations: [{ scoreCoordinate: { builtIn: Steedy } }] }\n",
            ),
            (
                "placement.yaml",
                "spec:\n",
                "spec:\n  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { tier: 'can ary!' } } } }]\n",
            ),
            (
                "placement.yaml",
                "spec:\n",
                "spec:\n  predicates: [{ requiredClusterSelector: { labelSelector: { matchExpressions: [{ key: a, operator: In }] } } }]\n",
            ),
            (
                "placement.yaml",
                "spec:\n",
                "spec:\n  predicates: [{ requiredClusterSelector: { labelSelector: { matchExpressions: [{ key: -/a, operator: Exists, values: [b] }] } } }]\n",
            ),
            (
                "placement.yaml",
                "spec:\n",
                "spec:\n  predicates: [{ requiredClusterSelector: { celSelector: { celExpressions: ['true', 'cluster.x'] } } }]\n",
            ),
            (
                "placement.yaml",
                "spec:\n",
                "spec:\n  prioritizerPolicy: { configurations: [{ scoreCoordinate: { builtIn: Steady }, weight: 20 }] }\n",
            ),
        ],
    );
}

#[test]
fn missing_fields_and_duplicate_items_are_named() {
    check(
        "missing_fields_and_duplicate_items_are_named",
        &[
            ("template.yaml", "  addonName: hello\n", ""),
            ("addon.yaml", "      - namespace: fleet\n        name: everywhere\n", "      - namespace: fleet\n"),
            ("config.yaml", "      value: '4'\n", "      value: '4'\n    - name: LOG_LEVEL\n"),
            ("config.yaml", "spec:\n", "spec:\n  proxyConfig: {}\nspec:\n"),
            ("config.yaml", "      value: '4'\n", "      value: '4'\n      value: '5'\n"),
        ],
    );
}

#[test]
fn warnings_block_nothing() {
    let tree = edited("addon.yaml", "            progressDeadline: 10m\n", "");
    insta::assert_snapshot!(complaints(&tree).join("\n"));
    let loaded = load(&tree, "");
    assert_eq!(loaded.complaints[0].diagnostic.severity, Severity::Warning);
    assert!(loaded.repository.blocked.is_empty() && loaded.repository.may_prune);
}

#[test]
fn a_deadline_that_healthy_clusters_may_miss_is_a_warning_in_strict() {
    let short =
        |deadline: &str| edited("addon.yaml", "progressDeadline: 10m", &format!("progressDeadline: {deadline}"));
    insta::assert_snapshot!(complaints(&short("20s")).join("\n"), @r#"addon.yaml:28:31: spec.installStrategy.placements[0].rolloutStrategy.progressive.progressDeadline is "20s", but the agent of a cluster may need 25 s to report that what it applied is healthy, so a healthy cluster may count as failed; write 1m or more"#);
    assert_eq!(complaints(&short("1m")), [""; 0]);
    let mut compat = short("20s");
    compat.files.insert("tidegate.toml".to_owned(), b"[rollout]\nsemantics = \"compat\"\n".to_vec());
    assert_eq!(complaints(&compat), [""; 0]);
}

#[test]
fn dangling_references_get_a_suggestion() {
    check(
        "dangling_references_get_a_suggestion",
        &[
            ("addon.yaml", "        name: everywhere\n", "        name: everywere\n"),
            (
                "addon.yaml",
                "      - namespace: fleet\n        name: everywhere\n",
                "      - namespace: navy\n        name: everywhere\n",
            ),
            ("addon.yaml", "      name: hello-1\n", "      name: hello-2\n"),
            ("addon.yaml", "      name: hello-1\n", "      name: prometheus\n"),
            (
                "addon.yaml",
                "            namespace: fleet\n            name: hello-config",
                "            name: hello-config",
            ),
            ("override.yaml", "      name: hello-config", "      name: helo-config"),
            ("addon.yaml", "resource: addontemplates", "resource: addontemplate"),
            ("override.yaml", "    - group: addon.open-cluster-management.io\n      resource", "    - resource"),
            ("addon.yaml", "groupName: canary", "groupName: canari"),
            ("placement.yaml", "groupName: canary", "groupName: first"),
            ("override.yaml", "  name: hello\n", "  name: helo\n"),
            (
                "addon.yaml",
                "      name: hello-1\n",
                "      name: hello-1\n    - { resource: configmaps, namespace: fleet, name: extra }\n",
            ),
        ],
    );
}

#[test]
fn references_in_the_older_version_are_checked_too() {
    let addon = "\
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: old }
spec:
  supportedConfigs:
    - group: addon.open-cluster-management.io
      resource: addontemplates
      defaultConfig: { name: hello-2 }
    - group: addon.open-cluster-management.io
      resource: addondeploymentconfig
      defaultConfig: { namespace: fleet, name: hello-config }
";
    insta::assert_snapshot!(complaints(&with("old.yaml", addon)).join("\n"));
}

#[test]
fn identities_are_checked() {
    check(
        "identities_are_checked",
        &[
            ("addon.yaml", "addon.open-cluster-management.io/v1beta1", "addon.open-cluster-management.io/v1"),
            ("addon.yaml", "addon.open-cluster-management.io/v1beta1", "addons.open-cluster-management.io/v1beta1"),
            (
                "placement.yaml",
                "cluster.open-cluster-management.io/v1beta1",
                "cluster.open-cluster-management.io/v1alpha1",
            ),
            ("config.yaml", "kind: AddOnDeploymentConfig", "kind: AddonDeploymentConfigs"),
            ("config.yaml", "  namespace: fleet\n", ""),
            ("template.yaml", "  name: hello-1\n", "  name: hello-1\n  namespace: fleet\n"),
            ("config.yaml", "  name: hello-config\n", ""),
            ("config.yaml", "  name: hello-config\n", "  name: Hello_Config\n"),
            ("config.yaml", "  name: hello-config\n", "  name: no\n"),
            ("plain.yaml", "      name: fleet\n", "      name: fl/eet\n"),
            ("plain.yaml", "    kind: Namespace\n", ""),
            ("plain.yaml", "  - apiVersion: v1\n", "  - 5\n  - apiVersion: v1\n"),
            ("plain.yaml", "    kind: Namespace\n", "    kind: 5\n"),
            ("plain.yaml", "        tier: canary\n", "        tier: canary pilot\n"),
            ("plain.yaml", "        tier: canary\n", "        -tier: canary\n"),
            ("placement.yaml", "  name: global\n  namespace: fleet\n", "  name: globe\n  namespace: fleet\n"),
        ],
    );
}

#[test]
fn an_object_declared_twice_is_reported_with_both_places() {
    let again = "# a copy\napiVersion: addon.open-cluster-management.io/v1alpha1\nkind: ClusterManagementAddOn\nmetadata: { name: hello }\nspec: {}\n";
    let tree = with("again.yaml", again);
    let expected =
        "again.yaml:2:1: ClusterManagementAddOn hello is already declared at addon.yaml:1:1; remove one of the two";
    assert_eq!(complaints(&tree), [expected]);
    let repository = load(&tree, "").repository;
    assert!(repository.blocked.contains_key("hello") && repository.addons.contains_key("other"));
}

#[test]
fn an_addon_that_upstream_drives_is_refused() {
    check("an_addon_that_upstream_drives_is_refused", &[("addon.yaml", "lifecycle: self", "lifecycle: addon-manager")]);
}

#[test]
fn manifests_of_templates_are_objects_with_closed_variables() {
    check(
        "manifests_of_templates_are_objects_with_closed_variables",
        &[
            ("template.yaml", "        - apiVersion: v1\n          kind", "        - kind"),
            ("template.yaml", "          kind: ConfigMap\n", "          kind: ''\n"),
            ("template.yaml", "            name: hello\n", ""),
            ("template.yaml", "'{{CLUSTER_NAME}}'", "'{{CLUSTER_NAME}'"),
            ("template.yaml", "'{{CLUSTER_NAME}}'", "{{CLUSTER_NAME}}"),
            ("template.yaml", "cluster: '", "'{{cluster': '"),
        ],
    );
}

#[test]
fn custom_signers_have_domains_of_their_own() {
    let registered = |signer: &str| {
        let signer = format!("customSigner: {{signerName: {signer}, signingCA: {{name: ca}}}}");
        let registration = format!("spec:\n  registration:\n    - type: CustomSigner\n      {signer}\n");
        complaints(&edited("template.yaml", "spec:\n", &registration))
    };
    assert_eq!(registered("example.com/vault"), [""; 0]);
    let [refusal] = &registered("kubernetes.io/kube-apiserver-client")[..] else { panic!("one complaint") };
    assert!(
        refusal.contains("the domain kubernetes.io is reserved") && refusal.contains("template.yaml:"),
        "{refusal}"
    );
}

#[test]
fn overlays_below_plain_objects_are_refused() {
    let refusal = "this is an overlay below a directory of plain objects; set the path in tidegate.toml to the overlay to use, \
                   or to a directory without overlays";
    assert_eq!(
        complaints(&with("base/kustomization.yaml", "resources: []\n")),
        [format!("base/kustomization.yaml:1:1: {refusal}")]
    );
    let overlay = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";
    assert_eq!(complaints(&with("base/k.yaml", overlay)), [format!("base/k.yaml:1:1: {refusal}")]);
}

#[test]
fn entries_that_git_left_out_are_reported() {
    let mut tree = super::fixture::good();
    tree.skipped.insert("more.yaml".into(), "it is a symbolic link".into());
    tree.skipped.insert("vendor".into(), "it is a submodule".into());
    tree.skipped.insert("README.md".into(), "it is a symbolic link".into());
    insta::assert_snapshot!(complaints(&tree).join("\n"));
    let loaded = load(&tree, "");
    assert_eq!(
        loaded.complaints.iter().map(|c| c.diagnostic.severity).collect::<Vec<_>>(),
        [Severity::Warning, Severity::Error, Severity::Error]
    );
}

#[test]
fn paths_that_differ_only_by_case_give_a_warning() {
    let tree = with("Space.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n");
    let mut tree = tree;
    tree.files.insert("space.yaml".into(), b"apiVersion: v1\nkind: Namespace\nmetadata: { name: b }\n".to_vec());
    insta::assert_snapshot!(complaints(&tree).join("\n"));
    assert!(load(&tree, "").complaints.iter().all(|c| c.diagnostic.severity == Severity::Warning));
}

#[test]
fn the_addons_of_a_complaint_are_stored_once() {
    let loaded = load(&edited("placement.yaml", "clusterSets", "clusterSet"), "");
    let [complaint] = loaded.complaints.as_slice() else { panic!("{:?}", loaded.complaints) };
    assert_eq!(loaded.repository.blocked.len(), 2);
    for held in loaded.repository.blocked.values().flatten() {
        assert!(Arc::ptr_eq(&held.addons, &complaint.addons));
    }
}

#[test]
fn complaints_list_the_addons_that_they_touch() {
    let touched = |file, from, to| {
        let loaded = load(&edited(file, from, to), "");
        let addons = loaded.complaints[0].addons.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(loaded.repository.blocked.keys().map(ToString::to_string).collect::<Vec<_>>(), addons);
        addons
    };
    assert_eq!(touched("addon.yaml", "displayName", "dispName"), ["hello"]);
    assert_eq!(touched("template.yaml", "addonName", "adonName"), ["hello"]);
    assert_eq!(touched("config.yaml", "value", "vale"), ["hello"]);
    assert_eq!(touched("override.yaml", "installNamespace", "installNamspace"), ["hello"]);
    assert_eq!(touched("placement.yaml", "clusterSets", "clusterSet"), ["hello", "other"]);
    assert_eq!(touched("placement.yaml", "  clusterSet: global", "  clusterSets: global"), ["hello", "other"]);
    assert_eq!(touched("placement.yaml", "selectorType", "selectrType"), ["hello", "other"]);
    assert_eq!(touched("plain.yaml", "hubAcceptsClient", "hubAcceptClient"), Vec::<String>::new());
}

#[test]
fn complaints_are_serialized_for_reports() {
    let loaded = load(&edited("addon.yaml", "displayName", "displayNam"), "");
    let expected = serde_json::json!({
        "place": { "file": "addon.yaml", "line": 9, "column": 5 },
        "message": "spec.addOnMeta.displayNam is not known; did you mean \"displayName\"?",
        "object": {
            "group": "addon.open-cluster-management.io",
            "kind": "ClusterManagementAddOn",
            "namespace": "",
            "name": "hello",
        },
        "addons": ["hello"],
        "severity": "error",
        "rule": "schema",
    });
    assert_eq!(serde_json::to_value(&loaded.complaints[0]).unwrap(), expected);
}

#[test]
fn complaints_about_one_object_are_limited() {
    let members: String = (0..500).map(|i| format!("  wrong{i}: 1\n")).collect();
    let found = complaints(&edited("config.yaml", "spec:\n", &format!("spec:\n{members}")));
    assert_eq!(found.len(), 51);
    assert!(
        found.iter().any(|text| text.ends_with("there are more complaints about this object; fix the others first"))
    );
}

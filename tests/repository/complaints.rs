//! One small mistake each: where it is said to be, and in which words.

use std::sync::Arc;

use tidegate::repository::{Severity, load};

use super::fixture::{complaints, edited, with};

/// File, text to replace, replacement, and the complaints that follow.
type Case<'a> = (&'a str, &'a str, &'a str, &'a [&'a str]);

fn check(cases: &[Case<'_>]) {
    for (file, from, to, expected) in cases {
        assert_eq!(complaints(&edited(file, from, to)), *expected, "after {to:?} for {from:?}");
    }
}

#[test]
fn misspelt_members_have_their_near_miss() {
    check(&[
        (
            "addon.yaml",
            "rolloutStrategy:",
            "rolloutStratgy:",
            &[
                "addon.yaml:24:9: spec.installStrategy.placements[0].rolloutStratgy is not known; did you mean \"rolloutStrategy\"?",
            ],
        ),
        (
            "addon.yaml",
            "displayName",
            "colour",
            &["addon.yaml:9:5: spec.addOnMeta.colour is not known; write \"description\" or \"displayName\""],
        ),
        (
            "addon.yaml",
            "  annotations:",
            "  anotations:",
            &["addon.yaml:5:3: metadata.anotations is not known; did you mean \"annotations\"?"],
        ),
        (
            "config.yaml",
            "value: '4'",
            "vlaue: '4'",
            &["config.yaml:9:7: spec.customizedVariables[0].vlaue is not known; did you mean \"value\"?"],
        ),
    ]);
}

#[test]
fn values_of_a_wrong_type_are_shown_how_to_be_right() {
    check(&[
        (
            "addon.yaml",
            "minSuccessTime: 5m",
            "minSuccessTime: 5",
            &[
                "addon.yaml:27:29: spec.installStrategy.placements[0].rolloutStrategy.progressive.minSuccessTime is a number; write a duration such as \"5s\"",
            ],
        ),
        (
            "config.yaml",
            "value: '4'",
            "value: 4",
            &["config.yaml:9:14: spec.customizedVariables[0].value is a number; put it in quotes"],
        ),
        (
            "config.yaml",
            "value: '4'",
            "value: yes",
            &["config.yaml:9:14: spec.customizedVariables[0].value is a boolean; put it in quotes"],
        ),
        (
            "placement.yaml",
            "clusterSets: [global]",
            "clusterSets: global",
            &["placement.yaml:7:16: spec.clusterSets is text; write a list"],
        ),
        (
            "placement.yaml",
            "clusterSets: [global]",
            "numberOfClusters: '3'",
            &["placement.yaml:7:21: spec.numberOfClusters is text; write the number without quotes: 3"],
        ),
        (
            "placement.yaml",
            "clusterSets: [global]",
            "numberOfClusters: 3000000000",
            &["placement.yaml:7:21: spec.numberOfClusters is 3000000000; write -2147483648 to 2147483647"],
        ),
        (
            "plain.yaml",
            "hubAcceptsClient: true",
            "hubAcceptsClient: 'true'",
            &["plain.yaml:15:25: spec.hubAcceptsClient is text; write it without quotes: true"],
        ),
        (
            "plain.yaml",
            "tier: canary",
            "tier: true",
            &["plain.yaml:13:15: metadata.labels.tier is a boolean; put it in quotes"],
        ),
        (
            "plain.yaml",
            "tier: canary",
            "tier: [canary]",
            &["plain.yaml:13:15: metadata.labels.tier is a list; write text"],
        ),
    ]);
}

#[test]
fn values_outside_their_bounds_are_shown_what_is_inside() {
    check(&[
        (
            "addon.yaml",
            "type: Progressive",
            "type: Progresive",
            &[
                "addon.yaml:25:17: spec.installStrategy.placements[0].rolloutStrategy.type is \"Progresive\"; did you mean \"Progressive\"?",
            ],
        ),
        (
            "addon.yaml",
            "type: Placements",
            "type: Placement",
            &["addon.yaml:15:11: spec.installStrategy.type is \"Placement\"; did you mean \"Placements\"?"],
        ),
        (
            "addon.yaml",
            "type: Placements",
            "type: Everywhere",
            &["addon.yaml:15:11: spec.installStrategy.type is \"Everywhere\"; write \"Manual\" or \"Placements\""],
        ),
        (
            "addon.yaml",
            "maxConcurrency: 25%",
            "maxConcurrency: ten",
            &[
                "addon.yaml:30:29: spec.installStrategy.placements[0].rolloutStrategy.progressive.maxConcurrency is \"ten\"; write a number such as 3 or a per cent such as \"10%\"",
            ],
        ),
        (
            "addon.yaml",
            "maxConcurrency: 25%",
            "maxConcurrency: '3'",
            &[
                "addon.yaml:30:29: spec.installStrategy.placements[0].rolloutStrategy.progressive.maxConcurrency is the text \"3\"; write the number 3 without quotes, or \"3%\"",
            ],
        ),
        (
            "addon.yaml",
            "maxConcurrency: 25%",
            "maxConcurrency: -1",
            &[
                "addon.yaml:30:29: spec.installStrategy.placements[0].rolloutStrategy.progressive.maxConcurrency is -1; write a number that is not negative",
            ],
        ),
        (
            "addon.yaml",
            "maxFailures: 1",
            "maxFailures: '1'",
            &[
                "addon.yaml:29:26: spec.installStrategy.placements[0].rolloutStrategy.progressive.maxFailures is the text \"1\"; write the number 1 without quotes, or \"1%\"",
            ],
        ),
        (
            "addon.yaml",
            "minSuccessTime: 5m",
            "minSuccessTime: 5 minutes",
            &[
                "addon.yaml:27:29: spec.installStrategy.placements[0].rolloutStrategy.progressive.minSuccessTime is \"5 minutes\"; write a duration such as \"5m\" or \"1h30m\"",
            ],
        ),
        (
            "addon.yaml",
            "minSuccessTime: 5m",
            "minSuccessTime: -5m",
            &[
                "addon.yaml:27:29: spec.installStrategy.placements[0].rolloutStrategy.progressive.minSuccessTime is \"-5m\"; write a duration that is not negative",
            ],
        ),
        (
            "addon.yaml",
            "progressDeadline: 10m",
            "progressDeadline: 10d",
            &[
                "addon.yaml:28:31: spec.installStrategy.placements[0].rolloutStrategy.progressive.progressDeadline is \"10d\"; write a duration such as \"10m\", or \"None\"",
            ],
        ),
        (
            "addon.yaml",
            "progressDeadline: 10m",
            "progressDeadline: 10mm",
            &[
                "addon.yaml:28:31: spec.installStrategy.placements[0].rolloutStrategy.progressive.progressDeadline is \"10mm\"; write a duration such as \"5m\" or \"1h30m\"",
            ],
        ),
        (
            "placement.yaml",
            "groupName: canary",
            "groupName: c",
            &[
                "addon.yaml:32:28: Placement fleet/everywhere has no decision group \"canary\"; write \"c\"",
                "placement.yaml:11:22: spec.decisionStrategy.groupStrategy.decisionGroups[0].groupName is \"c\"; write 2 to 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends",
            ],
        ),
        (
            "placement.yaml",
            "    groupStrategy:\n",
            "    groupStrategy:\n      clustersPerDecisionGroup: '5'\n",
            &[
                "placement.yaml:10:33: spec.decisionStrategy.groupStrategy.clustersPerDecisionGroup is the text \"5\"; write the number 5 without quotes, or \"5%\"",
            ],
        ),
        (
            "placement.yaml",
            "spec:\n",
            "spec:\n  numberOfClusters: -1\n",
            &["placement.yaml:7:21: spec.numberOfClusters is -1; write a number that is not negative, or leave it out"],
        ),
        (
            "placement.yaml",
            "spec:\n",
            "spec:\n  prioritizerPolicy: { mode: Exactly }\n",
            &["placement.yaml:7:30: spec.prioritizerPolicy.mode is \"Exactly\"; did you mean \"Exact\"?"],
        ),
        (
            "placement.yaml",
            "spec:\n",
            "spec:\n  tolerations: [{ key: k, operator: Exist }]\n",
            &["placement.yaml:7:37: spec.tolerations[0].operator is \"Exist\"; did you mean \"Exists\"?"],
        ),
        (
            "placement.yaml",
            "              matchLabels:\n                tier: canary\n",
            "              matchExpressions: [{ key: tier, operator: Inn, values: [canary] }]\n",
            &[
                "placement.yaml:14:57: spec.decisionStrategy.groupStrategy.decisionGroups[0].groupClusterSelector.labelSelector.matchExpressions[0].operator is \"Inn\"; did you mean \"In\"?",
            ],
        ),
        (
            "placement.yaml",
            "clusterSets: [global]",
            "clusterSets: [globall]",
            &[
                "placement.yaml:7:17: no ManagedClusterSetBinding gives cluster set \"globall\" to namespace fleet; did you mean \"global\"?",
            ],
        ),
        (
            "addon.yaml",
            "type: Progressive\n",
            "type: All\n",
            &[
                "addon.yaml:26:11: spec.installStrategy.placements[0].rolloutStrategy.progressive has no effect, since the rolloutStrategy is of type All; write type: Progressive, or remove the block",
            ],
        ),
        (
            "placement.yaml",
            "spec:\n",
            "spec:\n  tolerations: [{ key: k, operator: Exists, value: v }]\n",
            &[
                "placement.yaml:7:52: spec.tolerations[0] has a value, which goes with operator Equal only; remove one of the two",
            ],
        ),
        (
            "placement.yaml",
            "spec:\n",
            "spec:\n  tolerations: [{ value: v }]\n",
            &[
                "placement.yaml:7:17: spec.tolerations[0] has no key, and tolerates every taint only with operator: Exists; write one of the two",
            ],
        ),
        (
            "placement.yaml",
            "spec:\n",
            "spec:\n  prioritizerPolicy: { configurations: [{ scoreCoordinate: { builtIn: Steedy } }] }\n",
            &[
                "placement.yaml:7:71: spec.prioritizerPolicy.configurations[0].scoreCoordinate.builtIn is \"Steedy\"; did you mean \"Steady\"?",
            ],
        ),
        (
            "placement.yaml",
            "spec:\n",
            "spec:\n  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { tier: 'can ary!' } } } }]\n",
            &[
                "placement.yaml:7:83: spec.predicates[0].requiredClusterSelector.labelSelector.matchLabels.tier: no label has the value \"can ary!\"; write at most 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends",
            ],
        ),
        (
            "placement.yaml",
            "spec:\n",
            "spec:\n  predicates: [{ requiredClusterSelector: { labelSelector: { matchExpressions: [{ key: a, operator: In }] } } }]\n",
            &[
                "placement.yaml:7:101: spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[0]: operator In needs values; add them",
            ],
        ),
        (
            "placement.yaml",
            "spec:\n",
            "spec:\n  predicates: [{ requiredClusterSelector: { labelSelector: { matchExpressions: [{ key: -/a, operator: Exists, values: [b] }] } } }]\n",
            &[
                "placement.yaml:7:88: spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[0].key: no label has the key \"-/a\"; its name has 1 to 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends",
                "placement.yaml:7:103: spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[0]: operator Exists takes no values; remove them",
            ],
        ),
        (
            "placement.yaml",
            "spec:\n",
            "spec:\n  predicates: [{ requiredClusterSelector: { celSelector: { celExpressions: ['true', 'cluster.x'] } } }]\n",
            &[
                "placement.yaml:7:85: spec.predicates[0].requiredClusterSelector.celSelector.celExpressions[1] is no expression that clusters can be asked: undeclared reference to 'cluster' (in container ''), at 1:1 of the expression; mend it, or leave it out",
            ],
        ),
        (
            "placement.yaml",
            "spec:\n",
            "spec:\n  prioritizerPolicy: { configurations: [{ scoreCoordinate: { builtIn: Steady }, weight: 20 }] }\n",
            &["placement.yaml:7:89: spec.prioritizerPolicy.configurations[0].weight is 20; write -10 to 10"],
        ),
    ]);
}

#[test]
fn missing_members_and_items_given_twice_are_named() {
    check(&[
        ("template.yaml", "  addonName: hello\n", "", &["template.yaml:5:1: spec.addonName is missing; add it"]),
        (
            "addon.yaml",
            "      - namespace: fleet\n        name: everywhere\n",
            "      - namespace: fleet\n",
            &["addon.yaml:17:9: spec.installStrategy.placements[0].name is missing; add it"],
        ),
        (
            "config.yaml",
            "      value: '4'\n",
            "      value: '4'\n    - name: LOG_LEVEL\n",
            &[
                "config.yaml:10:7: spec.customizedVariables[1] has the same name as an item before it; remove one of the two",
            ],
        ),
        (
            "config.yaml",
            "spec:\n",
            "spec:\n  proxyConfig: {}\nspec:\n",
            &[
                "addon.yaml:23:19: AddOnDeploymentConfig fleet/hello-config is not in the repository; add it, or mend the files that could not be read",
                "config.yaml:8:1: \"spec\" is given twice in one mapping; remove one of the two",
                "override.yaml:12:13: AddOnDeploymentConfig fleet/hello-config is not in the repository; add it, or mend the files that could not be read",
            ],
        ),
        (
            "config.yaml",
            "      value: '4'\n",
            "      value: '4'\n      value: '5'\n",
            &[
                "addon.yaml:23:19: AddOnDeploymentConfig fleet/hello-config is not in the repository; add it, or mend the files that could not be read",
                "config.yaml:10:7: \"value\" is given twice in one mapping; remove one of the two",
                "override.yaml:12:13: AddOnDeploymentConfig fleet/hello-config is not in the repository; add it, or mend the files that could not be read",
            ],
        ),
    ]);
}

#[test]
fn warnings_block_nothing() {
    let tree = edited("addon.yaml", "            progressDeadline: 10m\n", "");
    assert_eq!(
        complaints(&tree),
        [
            "addon.yaml:28:13: spec.installStrategy.placements[0].rolloutStrategy.progressive has maxFailures without progressDeadline, so that a cluster that never answers is waited for and never counted; add one, such as progressDeadline: 10m"
        ]
    );
    let loaded = load(&tree, "");
    assert_eq!(loaded.complaints[0].severity, Severity::Warning);
    assert!(loaded.repository.blocked.is_empty() && loaded.repository.may_prune);
}

#[test]
fn references_into_nothing_have_their_near_miss() {
    check(&[
        (
            "addon.yaml",
            "        name: everywhere\n",
            "        name: everywere\n",
            &[
                "addon.yaml:18:15: Placement fleet/everywere is not in the repository; did you mean \"fleet/everywhere\"?",
            ],
        ),
        (
            "addon.yaml",
            "      - namespace: fleet\n        name: everywhere\n",
            "      - namespace: navy\n        name: everywhere\n",
            &[
                "addon.yaml:18:15: Placement navy/everywhere is not in the repository; did you mean \"fleet/everywhere\"?",
            ],
        ),
        (
            "addon.yaml",
            "      name: hello-1\n",
            "      name: hello-2\n",
            &["addon.yaml:13:13: AddOnTemplate hello-2 is not in the repository; did you mean \"hello-1\"?"],
        ),
        (
            "addon.yaml",
            "      name: hello-1\n",
            "      name: prometheus\n",
            &["addon.yaml:13:13: AddOnTemplate prometheus is not in the repository; add it, or correct the reference"],
        ),
        (
            "addon.yaml",
            "            namespace: fleet\n            name: hello-config",
            "            name: hello-config",
            &[
                "addon.yaml:22:19: AddOnDeploymentConfig hello-config is not in the repository; did you mean \"fleet/hello-config\"?",
            ],
        ),
        (
            "override.yaml",
            "      name: hello-config",
            "      name: helo-config",
            &[
                "override.yaml:12:13: AddOnDeploymentConfig fleet/helo-config is not in the repository; did you mean \"fleet/hello-config\"?",
            ],
        ),
        (
            "addon.yaml",
            "resource: addontemplates",
            "resource: addontemplate",
            &[
                "addon.yaml:12:17: resource \"addontemplate\" is not known in addon.open-cluster-management.io; did you mean \"addontemplates\"?",
            ],
        ),
        (
            "override.yaml",
            "    - group: addon.open-cluster-management.io\n      resource",
            "    - resource",
            &[
                "override.yaml:9:7: the group of addondeploymentconfigs is \"\"; write \"addon.open-cluster-management.io\"",
            ],
        ),
        (
            "addon.yaml",
            "groupName: canary",
            "groupName: canari",
            &[
                "addon.yaml:32:28: Placement fleet/everywhere has no decision group \"canari\"; did you mean \"canary\"?",
            ],
        ),
        (
            "placement.yaml",
            "groupName: canary",
            "groupName: first",
            &["addon.yaml:32:28: Placement fleet/everywhere has no decision group \"canary\"; write \"first\""],
        ),
        (
            "override.yaml",
            "  name: hello\n",
            "  name: helo\n",
            &["override.yaml:4:9: ClusterManagementAddOn helo is not in the repository; did you mean \"hello\"?"],
        ),
        (
            "addon.yaml",
            "      name: hello-1\n",
            "      name: hello-1\n    - { resource: configmaps, namespace: fleet, name: extra }\n",
            &["addon.yaml:14:55: configmaps fleet/extra is not in the repository; add it, or correct the reference"],
        ),
    ]);
}

#[test]
fn references_of_the_older_version_are_followed_too() {
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
    let expected = [
        "old.yaml:8:30: AddOnTemplate hello-2 is not in the repository; did you mean \"hello-1\"?",
        "old.yaml:10:17: resource \"addondeploymentconfig\" is not known in addon.open-cluster-management.io; did you mean \"addondeploymentconfigs\"?",
    ];
    assert_eq!(complaints(&with("old.yaml", addon)), expected);
}

#[test]
fn identities_are_checked() {
    check(&[
        (
            "addon.yaml",
            "addon.open-cluster-management.io/v1beta1",
            "addon.open-cluster-management.io/v1",
            &[
                "addon.yaml:1:13: apiVersion \"addon.open-cluster-management.io/v1\" is not known for ClusterManagementAddOn; write \"addon.open-cluster-management.io/v1alpha1\" or \"addon.open-cluster-management.io/v1beta1\"",
                "override.yaml:4:9: ClusterManagementAddOn hello is not in the repository; add it, or mend the files that could not be read",
            ],
        ),
        (
            "addon.yaml",
            "addon.open-cluster-management.io/v1beta1",
            "addons.open-cluster-management.io/v1beta1",
            &[
                "addon.yaml:1:13: the group of apiVersion \"addons.open-cluster-management.io/v1beta1\" is not known; did you mean \"addon.open-cluster-management.io\"?",
                "override.yaml:4:9: ClusterManagementAddOn hello is not in the repository; add it, or mend the files that could not be read",
            ],
        ),
        (
            "placement.yaml",
            "cluster.open-cluster-management.io/v1beta1",
            "cluster.open-cluster-management.io/v1alpha1",
            &[
                "addon.yaml:18:15: Placement fleet/everywhere is not in the repository; add it, or mend the files that could not be read",
                "other.yaml:10:15: Placement fleet/everywhere is not in the repository; add it, or mend the files that could not be read",
                "placement.yaml:1:13: apiVersion \"cluster.open-cluster-management.io/v1alpha1\" is not known for Placement; write \"cluster.open-cluster-management.io/v1beta1\"",
            ],
        ),
        (
            "config.yaml",
            "kind: AddOnDeploymentConfig",
            "kind: AddonDeploymentConfigs",
            &[
                "addon.yaml:23:19: AddOnDeploymentConfig fleet/hello-config is not in the repository; add it, or mend the files that could not be read",
                "config.yaml:2:7: kind \"AddonDeploymentConfigs\" is not known in addon.open-cluster-management.io; did you mean \"AddOnDeploymentConfig\"?",
                "override.yaml:12:13: AddOnDeploymentConfig fleet/hello-config is not in the repository; add it, or mend the files that could not be read",
            ],
        ),
        (
            "config.yaml",
            "  namespace: fleet\n",
            "",
            &[
                "addon.yaml:23:19: AddOnDeploymentConfig fleet/hello-config is not in the repository; add it, or mend the files that could not be read",
                "config.yaml:4:3: metadata.namespace is missing; every AddOnDeploymentConfig lives in a namespace",
                "override.yaml:12:13: AddOnDeploymentConfig fleet/hello-config is not in the repository; add it, or mend the files that could not be read",
            ],
        ),
        (
            "template.yaml",
            "  name: hello-1\n",
            "  name: hello-1\n  namespace: fleet\n",
            &[
                "addon.yaml:13:13: AddOnTemplate hello-1 is not in the repository; add it, or mend the files that could not be read",
                "template.yaml:5:14: metadata.namespace is \"fleet\", but no AddOnTemplate lives in a namespace; remove it",
            ],
        ),
        (
            "config.yaml",
            "  name: hello-config\n",
            "",
            &[
                "addon.yaml:23:19: AddOnDeploymentConfig fleet/hello-config is not in the repository; add it, or mend the files that could not be read",
                "config.yaml:4:3: metadata.name is missing; give the object a name",
                "override.yaml:12:13: AddOnDeploymentConfig fleet/hello-config is not in the repository; add it, or mend the files that could not be read",
            ],
        ),
        (
            "config.yaml",
            "  name: hello-config\n",
            "  name: Hello_Config\n",
            &[
                "addon.yaml:23:19: AddOnDeploymentConfig fleet/hello-config is not in the repository; add it, or mend the files that could not be read",
                "config.yaml:4:9: metadata.name \"Hello_Config\" is not a valid name: only lower-case letters, digits, '-' and '.' are allowed",
                "override.yaml:12:13: AddOnDeploymentConfig fleet/hello-config is not in the repository; add it, or mend the files that could not be read",
            ],
        ),
        (
            "config.yaml",
            "  name: hello-config\n",
            "  name: no\n",
            &[
                "addon.yaml:23:19: AddOnDeploymentConfig fleet/hello-config is not in the repository; add it, or mend the files that could not be read",
                "config.yaml:4:9: metadata.name is not text, or empty; write a name, in quotes",
                "override.yaml:12:13: AddOnDeploymentConfig fleet/hello-config is not in the repository; add it, or mend the files that could not be read",
            ],
        ),
        (
            "plain.yaml",
            "      name: fleet\n",
            "      name: fl/eet\n",
            &[
                "plain.yaml:7:13: metadata.name \"fl/eet\" is not a valid name: it may not be \".\" or \"..\", or hold '/' or '%'",
            ],
        ),
        (
            "plain.yaml",
            "    kind: Namespace\n",
            "",
            &["plain.yaml:4:5: this has an apiVersion but no kind; a Kubernetes object needs both"],
        ),
        (
            "plain.yaml",
            "  - apiVersion: v1\n",
            "  - 5\n  - apiVersion: v1\n",
            &["plain.yaml:4:5: this item of a list is no Kubernetes object; give it an apiVersion and a kind"],
        ),
        (
            "plain.yaml",
            "    kind: Namespace\n",
            "    kind: 5\n",
            &["plain.yaml:4:5: apiVersion and kind must be text that is not empty, such as \"v1\" and \"ConfigMap\""],
        ),
        (
            "plain.yaml",
            "        tier: canary\n",
            "        tier: canary pilot\n",
            &[
                "plain.yaml:13:15: the value \"canary pilot\" of label \"tier\" is not valid: at most 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends",
            ],
        ),
        (
            "plain.yaml",
            "        tier: canary\n",
            "        -tier: canary\n",
            &[
                "plain.yaml:13:9: the key \"-tier\" in metadata.labels is not valid: its name has 1 to 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends",
            ],
        ),
        (
            "placement.yaml",
            "  name: global\n  namespace: fleet\n",
            "  name: globe\n  namespace: fleet\n",
            &[
                "placement.yaml:20:9: metadata.name is \"globe\", but a binding bears the name of its set; write \"global\"",
            ],
        ),
    ]);
}

#[test]
fn an_object_declared_twice_is_named_with_both_places() {
    let again = "# a copy\napiVersion: addon.open-cluster-management.io/v1alpha1\nkind: ClusterManagementAddOn\nmetadata: { name: hello }\nspec: {}\n";
    let tree = with("again.yaml", again);
    let expected =
        "again.yaml:2:1: ClusterManagementAddOn hello is declared at addon.yaml:1:1 already; remove one of the two";
    assert_eq!(complaints(&tree), [expected]);
    let repository = load(&tree, "").repository;
    assert!(repository.blocked.contains_key("hello") && repository.addons.contains_key("other"));
}

#[test]
fn an_addon_that_upstream_drives_is_refused() {
    check(&[(
        "addon.yaml",
        "lifecycle: self",
        "lifecycle: addon-manager",
        &[
            "addon.yaml:6:49: the annotation addon.open-cluster-management.io/lifecycle says that upstream's addon-manager drives this add-on; write \"self\" to hand it over, or take it out of the repository",
        ],
    )]);
}

#[test]
fn manifests_of_templates_are_objects_with_closed_variables() {
    check(&[
        (
            "template.yaml",
            "        - apiVersion: v1\n          kind",
            "        - kind",
            &["template.yaml:10:11: spec.agentSpec.workload.manifests[0].apiVersion is missing; add it"],
        ),
        (
            "template.yaml",
            "          kind: ConfigMap\n",
            "          kind: ''\n",
            &["template.yaml:11:17: spec.agentSpec.workload.manifests[0].kind must be text that is not empty"],
        ),
        (
            "template.yaml",
            "            name: hello\n",
            "",
            &["template.yaml:12:11: spec.agentSpec.workload.manifests[0].metadata.name is missing; add it"],
        ),
        (
            "template.yaml",
            "'{{CLUSTER_NAME}}'",
            "'{{CLUSTER_NAME}'",
            &[
                "template.yaml:16:22: spec.agentSpec.workload.manifests[0].data.cluster opens a variable with \"{{\" and does not close it; write \"}}\" after its name",
            ],
        ),
        (
            "template.yaml",
            "'{{CLUSTER_NAME}}'",
            "{{CLUSTER_NAME}}",
            &[
                "addon.yaml:13:13: AddOnTemplate hello-1 is not in the repository; add it, or mend the files that could not be read",
                "template.yaml:16:23: this is no YAML: expected string scalar; put quotes around a value that begins with \"{{\"",
            ],
        ),
        (
            "template.yaml",
            "cluster: '",
            "'{{cluster': '",
            &[
                "template.yaml:16:13: the key \"{{cluster\" opens a variable and does not close it; write \"}}\" after its name",
            ],
        ),
    ]);
}

#[test]
fn overlays_below_plain_objects_are_refused() {
    let refusal = "this is an overlay below a directory of plain objects; let the path in tidegate.toml point to the overlay that is \
                   meant, or to a directory without overlays";
    assert_eq!(
        complaints(&with("base/kustomization.yaml", "resources: []\n")),
        [format!("base/kustomization.yaml:1:1: {refusal}")]
    );
    let overlay = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";
    assert_eq!(complaints(&with("base/k.yaml", overlay)), [format!("base/k.yaml:1:1: {refusal}")]);
}

#[test]
fn what_git_left_out_is_named() {
    let mut tree = super::fixture::good();
    tree.skipped.insert("more.yaml".into(), "it is a symbolic link".into());
    tree.skipped.insert("vendor".into(), "it is a submodule".into());
    tree.skipped.insert("README.md".into(), "it is a symbolic link".into());
    let expected = [
        "README.md:1:1: this is not read: it is a symbolic link; write a regular file",
        "more.yaml:1:1: this is not read: it is a symbolic link; write a regular file",
        "vendor:1:1: this is not read: it is a submodule; write a regular file",
    ];
    assert_eq!(complaints(&tree), expected);
    let loaded = load(&tree, "");
    assert_eq!(
        loaded.complaints.iter().map(|c| c.severity).collect::<Vec<_>>(),
        [Severity::Warning, Severity::Error, Severity::Error]
    );
}

#[test]
fn files_whose_paths_differ_only_by_case_are_warned_of() {
    let tree = with("Space.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n");
    let mut tree = tree;
    tree.files.insert("space.yaml".into(), b"apiVersion: v1\nkind: Namespace\nmetadata: { name: b }\n".to_vec());
    let expected = "space.yaml:1:1: the path differs from Space.yaml only by case, so that some machines lose one of them; rename it";
    assert_eq!(complaints(&tree), [expected]);
    assert!(load(&tree, "").complaints.iter().all(|c| c.severity == Severity::Warning));
}

#[test]
fn what_a_complaint_touches_is_held_once_however_much_that_is() {
    let loaded = load(&edited("placement.yaml", "clusterSets", "clusterSet"), "");
    let [complaint] = loaded.complaints.as_slice() else { panic!("{:?}", loaded.complaints) };
    assert_eq!(loaded.repository.blocked.len(), 2);
    for held in loaded.repository.blocked.values().flatten() {
        assert!(Arc::ptr_eq(&held.addons, &complaint.addons));
    }
}

#[test]
fn complaints_name_the_addons_that_they_touch() {
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
fn complaints_are_serialised_for_reports() {
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
fn an_object_with_very_many_mistakes_has_its_complaints_cut() {
    let members: String = (0..500).map(|i| format!("  wrong{i}: 1\n")).collect();
    let found = complaints(&edited("config.yaml", "spec:\n", &format!("spec:\n{members}")));
    assert_eq!(found.len(), 51);
    assert!(
        found.iter().any(|text| text.ends_with("there are more complaints about this object; mend the others first"))
    );
}

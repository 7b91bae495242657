//! References of Open Cluster Management that follow renamed objects if the option is set.

use tidegate_kustomize::overlay::{self, Options};

use super::{errors, tree};

const ADDON: &str = "\
apiVersion: addon.open-cluster-management.io/VERSION
kind: ClusterManagementAddOn
metadata:
  name: hello
spec:
  supportedConfigs:
  - {group: addon.open-cluster-management.io, resource: addontemplates, defaultConfig: {name: t}}
  defaultConfigs:
  - {group: addon.open-cluster-management.io, resource: addontemplates, name: t}
  - {group: example.com, resource: addontemplates, name: t}
  - {resource: configmaps, namespace: fleet, name: made}
  installStrategy:
    type: Placements
    placements:
    - namespace: fleet
      name: everywhere
      configs:
      - {group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: fleet, name: c}
      - {group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: other, name: c}
";

const OTHERS: &str = "\
apiVersion: addon.open-cluster-management.io/VERSION
kind: ManagedClusterAddOn
metadata: {name: hello, namespace: c1}
spec:
  configs: [{group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: fleet, name: c}]
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnTemplate
metadata: {name: t}
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata: {name: c, namespace: fleet}
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {name: everywhere, namespace: fleet}
spec:
  clusterSets: [blue, red]
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: blue, namespace: fleet}
spec: {clusterSet: blue}
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: {name: blue}
";

fn yaml(version: &str, kustomization: &str, follows: bool) -> String {
    let files = tree(&[
        ("a.yaml", &ADDON.replace("VERSION", version)),
        ("b.yaml", &OTHERS.replace("VERSION", version)),
        ("kustomization.yaml", &format!("resources: [a.yaml, b.yaml]\n{kustomization}")),
    ]);
    let rendered = overlay::render_with(&files, ".", &Options { ocm_references: follows, ..Options::default() });
    assert_eq!(errors(&rendered), "");
    rendered.to_yaml().unwrap()
}

#[test]
fn all_fields_of_both_versions_follow_a_prefix_and_a_suffix() {
    for version in ["v1alpha1", "v1beta1"] {
        for (field, before, behind) in [("namePrefix: p-", "p-", ""), ("nameSuffix: -s", "", "-s")] {
            let text = yaml(version, field, true);
            let has =
                |part: &str| assert!(text.contains(&part.replace('<', before).replace('>', behind)), "{part}\n{text}");
            has("  - defaultConfig:\n      name: <t>\n");
            has("    name: <t>\n    resource: addontemplates\n");
            has(
                "    - configs:\n      - group: addon.open-cluster-management.io\n        name: <c>\n        namespace: fleet\n",
            );
            has("      name: <everywhere>\n      namespace: fleet\n");
            has("  configs:\n  - group: addon.open-cluster-management.io\n    name: <c>\n");
            has("  clusterSets:\n  - <blue>\n  - red\n");
            has("  clusterSet: <blue>\n");
            // References with other groups and namespaces stay.
            has("  - group: example.com\n    name: t\n");
            has("        name: c\n        namespace: other\n");
        }
    }
}

#[test]
fn nothing_follows_without_the_option() {
    let text = yaml("v1beta1", "namePrefix: p-", false);
    for part in
        ["      name: t\n", "        name: c\n", "      name: everywhere\n", "  - blue\n", "  clusterSet: blue\n"]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn namespaces_follow_for_namespaced_kinds() {
    let text = yaml("v1beta1", "namespace: prod", true);
    assert!(text.contains("        name: c\n        namespace: prod\n"), "{text}");
    assert!(text.contains("      name: everywhere\n      namespace: prod\n"), "{text}");
    assert!(text.contains("  - defaultConfig:\n      name: t\n"), "{text}");
}

#[test]
fn hashes_and_patched_names_are_followed() {
    let text = yaml(
        "v1beta1",
        "configMapGenerator: [{name: made, namespace: fleet, literals: [a=b]}]\n\
         patches:\n\
         - target: {kind: AddOnDeploymentConfig}\n  \
           patch: '[{\"op\": \"replace\", \"path\": \"/metadata/name\", \"value\": \"new\"}]'\n  \
           options: {allowNameChange: true}\n",
        true,
    );
    assert!(text.contains("  - name: made-"), "{text}");
    assert!(text.contains("        name: new\n        namespace: fleet\n"), "{text}");
}

#[test]
fn variants_of_a_base_refer_to_their_own_objects() {
    let files = tree(&[
        ("base/a.yaml", &ADDON.replace("VERSION", "v1beta1")),
        ("base/b.yaml", &OTHERS.replace("VERSION", "v1beta1")),
        ("base/kustomization.yaml", "resources: [a.yaml, b.yaml]\n"),
        ("one/kustomization.yaml", "resources: [../base]\nnamePrefix: one-\n"),
        ("two/kustomization.yaml", "resources: [../base]\nnamePrefix: two-\n"),
        (
            "own.yaml",
            "{apiVersion: addon.open-cluster-management.io/v1beta1, kind: ManagedClusterAddOn, metadata: {name: own, namespace: c2}, spec: {configs: [{group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: fleet, name: two-c}]}}\n",
        ),
        ("kustomization.yaml", "resources: [one, two, own.yaml]\n"),
    ]);
    let rendered = overlay::render_with(&files, ".", &Options { ocm_references: true, ..Options::default() });
    assert_eq!(errors(&rendered), "");
    let text = rendered.to_yaml().unwrap();
    for variant in ["one", "two"] {
        assert_eq!(text.matches(&format!("        name: {variant}-c\n")).count(), 1, "{text}");
        assert_eq!(text.matches(&format!("  clusterSet: {variant}-blue\n")).count(), 1, "{text}");
    }
    // Objects above the variants use the names that the others have at that level.
    assert!(text.contains("    name: two-c\n"), "{text}");
}

#[test]
fn ambiguous_references_are_refused() {
    let config = "{apiVersion: addon.open-cluster-management.io/v1alpha1, kind: AddOnTemplate, metadata: {name: t}}\n";
    let rendered = |top: &str| {
        let files = tree(&[
            ("base/b.yaml", config),
            ("base/kustomization.yaml", "resources: [b.yaml]\n"),
            ("one/kustomization.yaml", "resources: [../base]\nnamePrefix: one-\n"),
            ("two/kustomization.yaml", "resources: [../base]\nnamePrefix: two-\n"),
            ("a.yaml", &ADDON.replace("VERSION", "v1beta1")),
            ("kustomization.yaml", &format!("resources: [one, two, a.yaml]\n{top}")),
        ]);
        overlay::render_with(&files, ".", &Options { ocm_references: true, ..Options::default() })
    };
    let told = errors(&rendered("namePrefix: p-\n"));
    assert!(told.starts_with("a.yaml:9:79: ") && told.contains("may refer to AddOnTemplate p-one-t"), "{told}");
    // An add-on that nothing changed matches neither of them.
    assert!(rendered("").to_yaml().unwrap().contains("  - defaultConfig:\n      name: t\n"));
}

#[test]
fn malformed_fields_are_left_to_the_loader() {
    let addon =
        "apiVersion: addon.open-cluster-management.io/v1beta1\nkind: ClusterManagementAddOn\nmetadata: {name: a}\n";
    for spec in
        ["", "spec: 3", "spec: {defaultConfigs: {}}", "spec: {defaultConfigs: [1, null, {name: [a]}]}", "spec: []"]
    {
        let files = tree(&[
            ("a.yaml", &format!("{addon}{spec}\n")),
            ("kustomization.yaml", "resources: [a.yaml]\nnamePrefix: p-\n"),
        ]);
        let rendered = overlay::render_with(&files, ".", &Options { ocm_references: true, ..Options::default() });
        assert_eq!(errors(&rendered), "");
    }
}

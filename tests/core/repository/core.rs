//! Tests of mistakes in objects of Kubernetes' own kinds, and of values that no API server can hold.

use tidegate_model::diagnostic::Severity;
use tidegate_repository::{Rule, load};

use super::fixture::{complaints, edited, load_plain, with};

fn about(text: &str) -> Vec<(Severity, String)> {
    let loaded = load_plain(&with("core.yaml", text));
    loaded.complaints.iter().map(|complaint| (complaint.diagnostic.severity, complaint.to_string())).collect()
}

#[test]
fn unknown_kubernetes_kinds_are_reported() {
    let object = |api_version: &str, kind: &str| {
        about(&format!("apiVersion: {api_version}\nkind: {kind}\nmetadata: {{ name: a, namespace: b }}\n"))
    };
    let error = |text: &str| vec![(Severity::Error, format!("core.yaml:2:7: {text}"))];
    let warning = |text: &str| vec![(Severity::Warning, format!("core.yaml:2:7: {text}"))];
    assert_eq!(
        object("v1", "ConfigMapp"),
        error("kind \"ConfigMapp\" is not known in the core group (v1); did you mean \"ConfigMap\"?")
    );
    assert_eq!(
        object("apps/v1", "Deploymnet"),
        error("kind \"Deploymnet\" is not known in apps; did you mean \"Deployment\"?")
    );
    assert_eq!(
        object("v1", "Deployment"),
        warning("kind \"Deployment\" is not known in the core group (v1); it is in apps, so correct the apiVersion")
    );
    assert_eq!(
        object("batch/v1", "Workflow"),
        warning("kind \"Workflow\" is not known in batch; correct it, unless the hub has such a kind")
    );
    assert_eq!(object("example.com/v1", "ConfigMapp"), []);
    assert_eq!(object("v1", "ConfigMap"), []);
}

#[test]
fn missing_and_superfluous_namespaces_are_reported() {
    let missing = about("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n");
    let message = "core.yaml:4:3: metadata.namespace is missing, but ConfigMap is a namespaced kind; add it";
    assert_eq!(missing, [(Severity::Warning, message.to_owned())]);
    let idle = about("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n  namespace: b\n");
    let message = "core.yaml:5:14: metadata.namespace is \"b\", but Namespace is a cluster-scoped kind; remove it";
    assert_eq!(idle, [(Severity::Warning, message.to_owned())]);
}

#[test]
fn names_that_kubernetes_refuses_are_reported() {
    let named = |api_version: &str, kind: &str, name: &str| {
        let object = format!("apiVersion: {api_version}\nkind: {kind}\nmetadata:\n  name: {name}\n  namespace: b\n");
        let loaded = load_plain(&with("core.yaml", &object));
        assert!(loaded.complaints.iter().all(|complaint| complaint.rule == Rule::Object));
        let errors = loaded.complaints.iter().filter(|complaint| complaint.is_error());
        errors.map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        named("v1", "ConfigMap", "My_Map"),
        [
            "core.yaml:4:9: metadata.name \"My_Map\" is not a valid name for a ConfigMap: only lower-case letters, digits, '-' and '.' are allowed"
        ]
    );
    assert_eq!(named("v1", "Service", "a.b").len(), 1);
    assert_eq!(named("v1", "ConfigMap", "a.b").len(), 0);
    assert_eq!(named("rbac.authorization.k8s.io/v1", "Role", "system:Node").len(), 0);
    assert_eq!(named("example.com/v1", "Thing", "My_Map").len(), 0);
}

#[test]
fn integers_out_of_range_are_reported_at_their_place() {
    let progressive = "spec.installStrategy.placements[0].rolloutStrategy.progressive";
    assert_eq!(
        complaints(&edited("addon.yaml", "maxConcurrency: 25%", "maxConcurrency: 3000000000")),
        [format!(
            "addon.yaml:30:29: {progressive}.maxConcurrency is 3000000000; write a whole number from -2147483648 to 2147483647"
        )]
    );
    assert_eq!(
        complaints(&edited("placement.yaml", "spec:\n", "spec:\n  numberOfClusters: 3000000000\n")),
        ["placement.yaml:7:21: spec.numberOfClusters is 3000000000; it must be -2147483648 to 2147483647"]
    );
    let seconds = "spec:\n  tolerations: [{ key: a, tolerationSeconds: 99999999999999999999 }]\n";
    let found = complaints(&edited("placement.yaml", "spec:\n", seconds));
    assert!(
        found.len() == 1 && found[0].starts_with("placement.yaml:7:46: spec.tolerations[0].tolerationSeconds is "),
        "{found:?}"
    );
}

#[test]
fn mandatory_groups_need_a_name_or_an_index() {
    let group = |text: &str| complaints(&edited("addon.yaml", "- groupName: canary", text));
    let at = "spec.installStrategy.placements[0].rolloutStrategy.progressive.mandatoryDecisionGroups[0]";
    assert_eq!(
        group("- groupIndex: -1"),
        [format!("addon.yaml:32:29: {at}.groupIndex is -1; decision groups are numbered from 0, so write 0 or more")]
    );
    assert_eq!(
        group("- groupName: ''"),
        [format!("addon.yaml:32:28: {at}.groupName is empty; write the name of a decision group, or its groupIndex")]
    );
    assert_eq!(group("- groupIndex: 0"), Vec::<String>::new());
}

#[test]
fn a_template_of_another_addon_is_refused() {
    let tree = edited("template.yaml", "addonName: hello", "addonName: helo");
    let message = "hello uses AddOnTemplate hello-1, which is for add-on \"helo\" according to its spec.addonName \
                   (template.yaml:6:14); write spec.addonName: hello there, or refer to another template";
    assert_eq!(complaints(&tree), [format!("addon.yaml:13:13: {message}")]);
    let blocked: Vec<_> = load(&tree, "").repository.blocked.into_keys().map(|addon| addon.to_string()).collect();
    assert_eq!(blocked, ["hello"]);
}

#[test]
fn expressions_that_are_never_true_are_refused() {
    let expression = |text: &str| {
        let spec = format!(
            "spec:\n  predicates: [{{ requiredClusterSelector: {{ celSelector: {{ celExpressions: [{text}] }} }} }}]\n"
        );
        complaints(&edited("placement.yaml", "spec:\n", &spec)).len()
    };
    for never in ["'1'", "'\"a\"'", "'[true]'", "'null'"] {
        assert_eq!(expression(never), 1, "{never}");
    }
    for maybe in [
        "'true'",
        "'1 == 2'",
        "'dyn(1)'",
        "'managedCluster.metadata.name'",
        "'managedCluster.metadata.labels[\"a\"] == \"b\"'",
    ] {
        assert_eq!(expression(maybe), 0, "{maybe}");
    }
}

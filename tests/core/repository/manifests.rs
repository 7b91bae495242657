//! Tests of mistakes in the manifests of an AddOnTemplate.

use tidegate_model::tree::Tree;
use tidegate_repository::{Rule, load};

use super::fixture::{complaints, edit, good};
use crate::transcript::transcript;

const DEPLOYMENT: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: web:1
          env: [{ name: A, value: b }]
          resources: { limits: { memory: 128Mi } }
";

/// Returns the good repository with these manifests in its template.
fn with_manifests(manifests: &[&str]) -> Tree {
    let mut tree = good();
    let text = String::from_utf8(tree.files["template.yaml"].clone()).unwrap();
    let mut text = text.split("        - apiVersion").next().unwrap().to_owned();
    for manifest in manifests {
        for (number, line) in manifest.lines().enumerate() {
            text += &format!("        {} {line}\n", if number == 0 { "-" } else { " " });
        }
    }
    tree.files.insert("template.yaml".to_owned(), text.into_bytes());
    // The namespaces of the manifests are those on the clusters.
    edit(&mut tree, "config.yaml", "spec:\n", "spec:\n  agentInstallNamespace: ''\n");
    tree
}

/// Returns the complaints about manifests, with their severity.
fn about(manifests: &[&str]) -> Vec<String> {
    let loaded = load(&with_manifests(manifests), "");
    assert!(loaded.complaints.iter().all(|complaint| complaint.rule == Rule::Template), "{:?}", loaded.complaints);
    let shown = |complaint: &tidegate_repository::Complaint| {
        format!("{}: {complaint}", if complaint.is_error() { "error" } else { "warning" })
    };
    loaded.complaints.iter().map(shown).collect()
}

/// Returns the complaints about a Deployment with one string replaced.
fn deployment(from: &str, to: &str) -> Vec<String> {
    assert!(DEPLOYMENT.contains(from), "{from}");
    about(&[&DEPLOYMENT.replacen(from, to, 1)])
}

fn object(api_version: &str, kind: &str, rest: &str) -> String {
    format!("apiVersion: {api_version}\nkind: {kind}\nmetadata: {{ name: a, namespace: b }}\n{rest}\n")
}

#[test]
fn a_correct_manifest_has_no_complaints() {
    assert_eq!(about(&[DEPLOYMENT]), Vec::<String>::new());
}

#[test]
fn misspelled_and_missing_fields_are_warnings() {
    let cases = [
        ("image: web:1", "img: web:1"),
        ("replicas: 1", "replica: 1"),
        ("replicas: 1", "zones: 1"),
        ("- name: web", "- volume: []"),
        ("image: web:1", "imagePullPolicy: Always"),
        ("image: web:1", "image: ''"),
        ("image: web:1", "imagePullPolicy: always"),
        ("  selector: { matchLabels: { app: web } }\n", ""),
        ("{ name: web, namespace: default }", "{ name: web, nmaespace: default }"),
        ("kind: Deployment", "kind: Deploymnet"),
        ("apps/v1", "v1"),
    ];
    insta::assert_snapshot!(transcript(cases, |(from, to)| deployment(from, to).join("\n")));
}

#[test]
fn values_that_every_api_server_refuses_are_errors() {
    let cases = [
        ("replicas: 1", "replicas: '1'"),
        ("replicas: 1", "replicas: 1.5"),
        ("replicas: 1", "replicas: 3000000000"),
        ("value: b", "value: 4"),
        ("value: b", "value: true"),
        ("memory: 128Mi", "memory: 128MB"),
        ("labels: { app: web }", "labels: { app: web, tier: 1 }"),
        ("{ name: web, namespace: default }", "{ name: web, labels: [a] }"),
        ("  replicas: 1\n", "  paused: 'true'\n"),
    ];
    insta::assert_snapshot!(transcript(cases, |(from, to)| deployment(from, to).join("\n")));
    let secret = about(&[&object("v1", "Secret", "data: { password: hunter2 }")]);
    insta::assert_snapshot!("bytes_that_are_not_base64", secret.join("\n"));
}

#[test]
fn a_selector_must_match_the_labels_of_the_pods() {
    let cases = [
        ("selector: { matchLabels: { app: web } }", "selector: { matchLabels: { app: wbe } }"),
        ("selector: { matchLabels: { app: web } }", "selector: { matchLabels: { app: web, tier: front } }"),
        ("selector: { matchLabels: { app: web } }", "selector: {}"),
        (
            "selector: { matchLabels: { app: web } }",
            "selector: { matchExpressions: [{ key: app, operator: In, values: [api] }] }",
        ),
        (
            "selector: { matchLabels: { app: web } }",
            "selector: { matchExpressions: [{ key: app, operator: DoesNotExist }] }",
        ),
        ("    metadata: { labels: { app: web } }\n", ""),
    ];
    insta::assert_snapshot!(transcript(cases, |(from, to)| deployment(from, to).join("\n")));
    for kind in ["DaemonSet", "ReplicaSet", "StatefulSet"] {
        let other = DEPLOYMENT.replace("kind: Deployment", &format!("kind: {kind}")).replace("  replicas: 1\n", "");
        assert_eq!(about(&[&other]), Vec::<String>::new(), "{kind}");
        assert_eq!(about(&[&other.replacen("app: web", "app: wbe", 1)]).len(), 1, "{kind}");
    }
}

#[test]
fn selectors_that_match_or_may_match_are_accepted() {
    for selector in [
        "{ matchExpressions: [{ key: app, operator: In, values: [web, api] }, { key: b, operator: DoesNotExist }] }",
        "{ matchExpressions: [{ key: app, operator: Exists }, { key: app, operator: NotIn, values: [api] }] }",
        "{ matchLabels: { app: '{{CLUSTER_NAME}}' } }",
        "{ matchLabels: { '{{CLUSTER_NAME}}': web } }",
        "{ matchExpressions: [{ key: app, operator: In, values: ['{{CLUSTER_NAME}}'] }] }",
    ] {
        let found = deployment("{ matchLabels: { app: web } }", selector);
        assert_eq!(found, Vec::<String>::new(), "{selector}");
    }
    for labels in ["{ app: '{{CLUSTER_NAME}}' }", "{ '{{CLUSTER_NAME}}': web }", "'{{CLUSTER_NAME}}'"] {
        assert_eq!(deployment("labels: { app: web }", &format!("labels: {labels}")), Vec::<String>::new(), "{labels}");
    }
    let job = object(
        "batch/v1",
        "Job",
        "spec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: b }] } } }",
    );
    assert_eq!(about(&[&job]), Vec::<String>::new());
}

#[test]
fn a_value_with_a_variable_may_become_anything() {
    for (from, to) in [
        ("replicas: 1", "replicas: '{{CLUSTER_NAME}}'"),
        ("replicas: 1", "'{{CLUSTER_NAME}}': 1"),
        ("memory: 128Mi", "memory: '{{CLUSTER_NAME}}'"),
        ("- name: web", "- '{{CLUSTER_NAME}}': web"),
        ("image: web:1", "image: web:1\n          imagePullPolicy: '{{CLUSTER_NAME}}'"),
        ("image: web:1", "image: '{{CLUSTER_NAME}}'"),
        ("containers:\n", "tolerations: '{{CLUSTER_NAME}}'\n      containers:\n"),
        ("kind: Deployment", "kind: '{{CLUSTER_NAME}}'"),
        ("apps/v1", "'{{CLUSTER_NAME}}'"),
    ] {
        assert_eq!(deployment(from, to), Vec::<String>::new(), "{to}");
    }
}

#[test]
fn null_means_the_same_as_absent() {
    for (from, to) in
        [("replicas: 1", "replicas: null"), ("{ memory: 128Mi }", "null"), ("[{ name: A, value: b }]", "[null]")]
    {
        assert_eq!(deployment(from, to), Vec::<String>::new(), "{to}");
    }
    let definition = object("v1", "Namespace", "").replace("}", ", creationTimestamp: null }");
    assert_eq!(about(&[&definition]), Vec::<String>::new());
}

#[test]
fn custom_resources_are_checked_for_their_metadata_only() {
    let custom = object("example.com/v1", "Deployment", "spec: { replica: 'a' }");
    assert_eq!(about(&[&custom]), Vec::<String>::new());
    let found = about(&[&custom.replace("name: a", "name: a, labels: { a: 1 }")]);
    assert_eq!(
        found,
        [
            "error: template.yaml:12:45: spec.agentSpec.workload.manifests[0].metadata.labels.a is a number; put it in quotes"
        ]
    );
    let newer = object("apps/v2", "Deployment", "spec: { replica: 'a' }");
    assert_eq!(about(&[&newer]), Vec::<String>::new());
}

#[test]
fn objects_that_are_in_a_template_twice_are_warnings() {
    let map = object("v1", "ConfigMap", "data: {}");
    let others = [
        map.replace("namespace: b", "namespace: c"),
        map.replace("ConfigMap", "Secret"),
        map.replace("name: a", "name: '{{CLUSTER_NAME}}'"),
        object("example.com/v1", "ConfigMap", ""),
    ];
    let mut all = vec![map.as_str()];
    all.extend(others.iter().map(String::as_str));
    assert_eq!(about(&all), Vec::<String>::new());
    all.push(&map);
    all.push(&others[2]);
    insta::assert_snapshot!(about(&all).join("\n"));
    assert!(load(&with_manifests(&all), "").repository.blocked.is_empty());
}

#[test]
fn any_number_of_warnings_does_not_block_an_addon() {
    let fields: String = (0..5_000).map(|number| format!("field{number}: 1\n")).collect();
    let map = object("v1", "ConfigMap", &fields);
    let loaded = load(&with_manifests(&[&map]), "");
    assert_eq!(loaded.complaints.len(), 50);
    assert!(loaded.repository.blocked.is_empty());
    let wrong = object("v1", "ConfigMap", "data: { a: 1 }").replace("name: a", "name: z");
    let loaded = load(&with_manifests(&[&map, &wrong]), "");
    assert_eq!(loaded.complaints.iter().filter(|complaint| complaint.is_error()).count(), 1);
    assert!(complaints(&with_manifests(&[&map, &wrong])).iter().any(|shown| shown.contains("data.a is a number")));
}

#[test]
fn a_mistake_in_a_patch_is_reported_in_the_patch() {
    let mut tree = with_manifests(&[DEPLOYMENT]);
    let patch = "- op: replace\n  path: /spec/agentSpec/workload/manifests/0/spec/replicas\n  value: '1'\n";
    let kustomization = "resources: [addon.yaml, config.yaml, other.yaml, override.yaml, placement.yaml, plain.yaml, template.yaml]\n\
                         patches: [{ path: patch.yaml, target: { kind: AddOnTemplate } }]\n";
    for (file, text) in [("patch.yaml", patch), ("kustomization.yaml", kustomization)] {
        tree.files.insert(file.to_owned(), text.as_bytes().to_vec());
    }
    assert_eq!(
        complaints(&tree),
        [
            "patch.yaml:3:10: spec.agentSpec.workload.manifests[0].spec.replicas is a string; write the number without quotes: 1"
        ]
    );
}

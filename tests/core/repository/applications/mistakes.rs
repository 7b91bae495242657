//! What is refused, and where.

use std::sync::Arc;

use tidegate_repository::{hold, load};

use super::{SETTINGS, WEB, about, edited_tree, tree, web};
use crate::fixture::shown;

#[test]
fn mistakes_are_found_at_their_places() {
    let found = |(from, to): &(&str, &str)| {
        let loaded = load(&edited_tree(from, to), "");
        assert!(loaded.repository.blocked.contains_key(&web()), "{from} -> {to}: {:?}", shown(&loaded));
        assert!(loaded.repository.addons.contains_key("hello"), "{from} -> {to}");
        format!("{from:?} -> {to:?}\n    {}", shown(&loaded).join("\n    "))
    };
    let mistakes = [
        ("namespace: shop\n", "namespace: shop\n  annotations: {tidegate.io/requires: 'hello, helo'}\n"),
        ("namespace: shop\n", "namespace: shop\n  annotations: {tidegate.io/requires: application/shop/web}\n"),
        ("namespace: shop\n", "namespace: shop\n  annotations: {tidegate.io/requires: ''}\n"),
        ("type: webservice", "type: webservise"),
        ("image: example", "imagee: example"),
        ("port: 8080", "port: 80800"),
        ("cpu: 250m", "cpu: much"),
        ("type: scaler", "type: scalar"),
        ("replicas: 3", "replicas: many"),
        ("name: extras", "name: server"),
        ("name: extras", "name: Extras"),
        ("- apiVersion: v1\n            kind: ConfigMap", "- kind: ConfigMap"),
        (
            "name: texts\n",
            "name: texts\n              annotations: {addon.open-cluster-management.io/addon-pre-delete: ''}\n",
        ),
        ("type: placement", "type: topology"),
        ("name: everywhere\n        rollout", "name: everywere\n        rollout"),
        ("maxConcurrency: 1", "maxConcurency: 1"),
        ("maxConcurrency: 1", "maxConcurrency: 0"),
        ("groupName: canary", "groupName: canaries"),
        ("components:", "workflow: {mode: {steps: DAG}}\n  components:"),
        ("- name: extras", "- name: extras\n      dependsOn: [servr]"),
        ("image: example.com/web:1.4.0", "image: null"),
        ("type: placement", "type: null"),
        ("team: shop", "app.oam.dev/component: other"),
        ("expose: true", "expose: true\n            nodePort: 30080"),
        ("expose: true", "name: 80"),
        ("expose: true", "expose: true\n          - port: 8080\n            expose: true"),
        (
            "name: MODE\n            value: fast",
            "name: MODE\n            value: fast\n          - name: MODE\n            value: slow",
        ),
        ("namespace: shop\n", "namespace: shop\n  annotations: {app.oam.dev/publishVersion: feature/x}\n"),
        (
            "policies:\n",
            "policies:\n    - {name: first, type: placement, properties: {namespace: fleet, name: everywhere}}\n",
        ),
        ("name: server\n", "name: 1server\n"),
        ("name: web\n", "name: Web\n"),
        ("name: web\n", "name: web-\n"),
        ("  namespace: shop\n", ""),
        ("v1beta1", "v1alpha2"),
        ("spec:\n", "spec:\n  polices: []\n"),
    ];
    let texts: Vec<String> = mistakes[..30].iter().map(found).collect();
    insta::assert_snapshot!("mistakes_in_applications", texts.join("\n"));
    // These have no name that could be blocked, or no policy.
    for (from, to) in &mistakes[30..] {
        let loaded = load(&edited_tree(from, to), "");
        assert!(!loaded.repository.addons.contains_key("application/shop/web"), "{from} -> {to}");
        assert!(!shown(&loaded).is_empty() && !loaded.repository.may_prune, "{from} -> {to}");
    }
}

#[test]
fn a_trait_needs_a_workload_that_it_can_change() {
    let with = |of_component: &str| {
        format!(
            "    - name: extras\n      type: k8s-objects\n      properties:\n        objects: [{{apiVersion: v1, kind: ConfigMap, metadata: {{name: texts}}}}]\n      traits: [{of_component}]\n"
        )
    };
    assert_eq!(about(&with("{type: labels, properties: {a: b}}")), "");
    insta::assert_snapshot!(
        about(&with("{type: scaler}")),
        @"web.yaml:35:23: spec.components[1].traits[0].type is scaler, which needs a Deployment, a StatefulSet, a ReplicaSet or another kind with replicas as the first object of its component; move it to such a component"
    );
    insta::assert_snapshot!(
        about(&with("{type: env, properties: {env: {A: b}}}")),
        @"web.yaml:35:23: spec.components[1].traits[0].type is env, which needs a workload with a container as the first object of its component; move it to such a component"
    );
}

#[test]
fn odd_shapes_are_complaints_and_never_a_panic() {
    let odd = ["3", "[1]", "null", "{a: [b]}"];
    let places = [
        "name: web",
        "namespace: shop",
        "- name: server",
        "type: webservice",
        "image: example.com/web:1.4.0",
        "cpu: 250m",
        "replicas: 3",
        "team: shop",
        "MODE: safe",
        "greeting: Hello {{name}}",
        "type: placement",
        "type: Progressive",
        "name: texts",
        "kind: ConfigMap",
        "apiVersion: v1\n",
        "port: 8080",
        "- name: MODE",
    ];
    for place in places {
        let (field, _) = place.split_once(':').unwrap();
        for value in odd {
            let end = if place.ends_with('\n') { "\n" } else { "" };
            let _ = load(&edited_tree(place, &format!("{field}: {value}{end}")), "");
        }
    }
    for section in
        ["metadata", "spec", "components", "policies", "traits", "properties", "objects", "data", "ports", "env"]
    {
        for value in odd {
            // The section has the value instead of what is below it.
            let at = WEB.find(&format!("{section}:\n")).unwrap();
            let indent = WEB[..at].rsplit('\n').next().unwrap().len();
            let below = WEB[at..].split_inclusive('\n').skip(1);
            let is_below = |line: &&str| line.len() - line.trim_start().len() > indent;
            let length: usize = below.take_while(is_below).map(str::len).sum();
            let start = at + section.len() + 2;
            let text = format!("{}{section}: {value}\n{}", &WEB[..at], &WEB[start + length..]);
            let loaded = load(&tree(&text), "");
            let is_known = loaded.repository.addons.contains_key(&web());
            assert!(!is_known || shown(&loaded).is_empty(), "{text}");
        }
    }
}

#[test]
fn an_application_whose_file_cannot_be_read_keeps_its_last_good_revision() {
    let good = Arc::new(load(&tree(WEB), "").repository);
    let goods = good.addons.keys().map(|name| (name.clone(), good.clone())).collect();
    let broken = [
        "a: [".to_owned(),
        "apiVersion: core.oam.dev/v1beta1\nkind: Application\nmetadata: {name: web, namespace: shop}\n".to_owned(),
        WEB.replace("v1beta1", "v1beta2"),
        WEB.replace("  namespace: shop\n", ""),
        WEB.replace("name: web", "name: Web"),
    ];
    for broken in &broken {
        let held = hold(load(&tree(broken), ""), &goods, Some(&good));
        assert_eq!(held.addons.get(&web()), good.addons.get(&web()), "{broken}");
        assert!(held.held.contains_key(&web()) && !held.may_prune);
    }
}

#[test]
fn compat_semantics_have_no_applications() {
    let mut tree = tree(WEB);
    tree.files.insert("tidegate.toml".to_owned(), format!("{SETTINGS}[rollout]\nsemantics = 'compat'\n").into_bytes());
    let loaded = load(&tree, "");
    assert!(loaded.repository.blocked.contains_key(&web()), "{:?}", shown(&loaded));
}

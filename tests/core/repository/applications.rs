//! Applications: what is read, what is refused and where, and what clusters get.

use std::sync::Arc;

use serde_json::Value;
use tidegate_model::name::UnitName;
use tidegate_model::tree::Tree;
use tidegate_repository::{AllowedKind, OperatorRules, Repository, Unit, hold, load, load_with};

use super::fixture::{edit, shown, with};

const SETTINGS: &str = "[applications]\nenabled = true\n";

const WEB: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata:
  name: web
  namespace: shop
spec:
  components:
    - name: server
      type: webservice
      properties:
        image: example.com/web:1.4.0
        ports:
          - port: 8080
            expose: true
        cpu: 250m
        env:
          - name: MODE
            value: fast
      traits:
        - type: scaler
          properties:
            replicas: 3
        - type: env
          properties:
            env:
              MODE: safe
              REGION: eu
        - type: labels
          properties:
            team: shop
    - name: extras
      type: k8s-objects
      properties:
        objects:
          - apiVersion: v1
            kind: ConfigMap
            metadata:
              name: texts
            data:
              greeting: Hello {{name}}
  policies:
    - name: everywhere
      type: placement
      properties:
        namespace: fleet
        name: everywhere
        rolloutStrategy:
          type: Progressive
          progressive:
            maxConcurrency: 1
            mandatoryDecisionGroups:
              - groupName: canary
";

fn tree(web: &str) -> Tree {
    let mut tree = with("web.yaml", web);
    tree.files.insert("tidegate.toml".to_owned(), SETTINGS.as_bytes().to_vec());
    tree
}

fn edited_tree(from: &str, to: &str) -> Tree {
    let mut tree = tree(WEB);
    edit(&mut tree, "web.yaml", from, to);
    tree
}

fn web() -> UnitName {
    "application/shop/web".parse().unwrap()
}

fn unit(tree: &Tree) -> Unit {
    let loaded = load(tree, "");
    assert_eq!(shown(&loaded), [""; 0]);
    loaded.repository.addons[&web()].clone()
}

/// Returns the objects that clusters get.
fn objects(unit: &Unit) -> Vec<Value> {
    let content = unit.configurations.values().next().unwrap();
    content.object["spec"]["agentSpec"]["workload"]["manifests"].as_array().unwrap().clone()
}

#[test]
fn an_application_is_a_unit_and_does_not_go_to_the_hub() {
    let Repository { addons, objects, .. } = load(&tree(WEB), "").repository;
    assert_eq!(addons.keys().map(UnitName::as_str).collect::<Vec<_>>(), ["application/shop/web", "hello", "other"]);
    assert!(objects.keys().all(|key| key.kind != "Application"));
    let parts = addons[&web()].parts();
    assert_eq!(parts.iter().map(|part| part.reference().to_string()).collect::<Vec<_>>(), ["fleet/everywhere"]);
    assert_eq!(parts[0].rollout_strategy.type_, "Progressive");
}

#[test]
fn without_the_setting_an_application_is_an_object_like_any_other() {
    let kind =
        AllowedKind { group: "core.oam.dev".to_owned(), kind: "Application".to_owned(), ..AllowedKind::default() };
    let operator = OperatorRules { kinds: vec![kind], ..OperatorRules::default() };
    let loaded = load_with(&with("web.yaml", WEB), "", &Arc::new(operator));
    assert_eq!(shown(&loaded), [""; 0]);
    assert!(!loaded.repository.addons.contains_key(&web()));
    assert!(loaded.repository.objects.keys().any(|key| key.kind == "Application"));
}

#[test]
fn the_objects_of_an_application() {
    let text = serde_json::to_string_pretty(&objects(&unit(&tree(WEB)))).unwrap();
    insta::assert_snapshot!("the_objects_of_an_application", text);
}

#[test]
fn only_what_clusters_get_changes_the_hash_and_everything_changes_the_digest() {
    let hash = |unit: &Unit| unit.configurations.values().next().unwrap().spec_hash.clone();
    let (first, edited) = (unit(&tree(WEB)), |from: &str, to: &str| unit(&edited_tree(from, to)));
    let strategy = edited("maxConcurrency: 1", "maxConcurrency: 2");
    assert_eq!((hash(&strategy), strategy.digest == first.digest), (hash(&first), false));
    let image = edited("web:1.4.0", "web:1.4.1");
    assert_ne!((hash(&image), &image.digest), (hash(&first), &first.digest));
    let comment = edited("  components:", "  # What it consists of.\n  components:");
    assert_eq!(comment.digest, first.digest);
}

#[test]
fn mistakes_are_found_at_their_places() {
    let found = |(from, to): &(&str, &str)| {
        let loaded = load(&edited_tree(from, to), "");
        assert!(loaded.repository.blocked.contains_key(&web()), "{from} -> {to}: {:?}", shown(&loaded));
        assert!(loaded.repository.addons.contains_key("hello"), "{from} -> {to}");
        format!("{from:?} -> {to:?}\n    {}", shown(&loaded).join("\n    "))
    };
    let mistakes = [
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
        ("- name: extras", "- name: extras\n      dependsOn: [server]"),
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
    let texts: Vec<String> = mistakes[..27].iter().map(found).collect();
    insta::assert_snapshot!("mistakes_in_applications", texts.join("\n"));
    // These have no name that could be blocked, or no policy.
    for (from, to) in &mistakes[27..] {
        let loaded = load(&edited_tree(from, to), "");
        assert!(!loaded.repository.addons.contains_key("application/shop/web"), "{from} -> {to}");
        assert!(!shown(&loaded).is_empty() && !loaded.repository.may_prune, "{from} -> {to}");
    }
}

#[test]
fn objects_that_hold_what_users_stored_stay_on_a_cluster_that_the_application_leaves() {
    let claim = "- apiVersion: v1\n            kind: PersistentVolumeClaim\n            metadata: {name: data}\n            spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n          - apiVersion: v1\n            kind: ConfigMap";
    let objects = objects(&unit(&edited_tree("- apiVersion: v1\n            kind: ConfigMap", claim)));
    let keeps = |object: &&Value| {
        object["metadata"]["annotations"].get("addon.open-cluster-management.io/deletion-orphan").is_some()
    };
    let kept: Vec<&str> = objects.iter().filter(keeps).filter_map(|object| object["kind"].as_str()).collect();
    assert_eq!(kept, ["PersistentVolumeClaim"]);
}

/// Returns the complaints about an application whose second component is given.
fn about(component: &str) -> String {
    let (head, rest) = WEB.split_once("    - name: extras").unwrap();
    let (_, policies) = rest.split_once("  policies:").unwrap();
    shown(&load(&tree(&format!("{head}{component}  policies:{policies}")), "")).join("\n")
}

#[test]
fn an_object_is_rendered_once_and_by_one_unit() {
    let service = |name: &str| {
        format!(
            "    - name: extras\n      type: k8s-objects\n      properties:\n        objects: [{{apiVersion: v1, kind: Service, metadata: {{name: {name}}}}}]\n"
        )
    };
    insta::assert_snapshot!(
        about(&service("server")),
        @"web.yaml:31:7: spec.components[1] renders Service shop/server, and so does spec.components[0]; remove or rename one"
    );
    assert_eq!(about(&service("other")), "");
    // The add-on of the fixture writes it.
    let map = "    - name: extras\n      type: k8s-objects\n      properties:\n        objects: [{apiVersion: v1, kind: ConfigMap, metadata: {name: hello, namespace: default}}]\n";
    insta::assert_snapshot!(
        about(map),
        @r"
    template.yaml:1:1: ConfigMap default/hello is written by application/shop/web and hello: they would overwrite each other; keep it in one of them
    web.yaml:1:1: ConfigMap default/hello is written by application/shop/web and hello: they would overwrite each other; keep it in one of them
    "
    );
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
        @"web.yaml:35:23: spec.components[1].traits[0].type is scaler, which needs a Deployment, a StatefulSet or a ReplicaSet as the first object of its component; remove it"
    );
    insta::assert_snapshot!(
        about(&with("{type: env, properties: {env: {A: b}}}")),
        @"web.yaml:35:23: spec.components[1].traits[0].type is env, which needs a workload with a container as the first object of its component; remove it"
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
fn another_kind_of_the_group_is_refused() {
    let definition =
        "apiVersion: core.oam.dev/v1beta1\nkind: ComponentDefinition\nmetadata: {name: x, namespace: shop}\n";
    let mut tree = tree(WEB);
    tree.files.insert("definition.yaml".to_owned(), definition.as_bytes().to_vec());
    insta::assert_snapshot!(
        shown(&load(&tree, "")).join("\n"),
        @"definition.yaml:2:7: ComponentDefinition is not read yet: of core.oam.dev, only Application is; write what it defines as a component of type k8s-objects"
    );
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
fn the_example_of_the_documentation_is_read_as_it_is() {
    let page = std::fs::read_to_string(crate::root::path("docs/applications.md")).unwrap();
    let block = |language: &str| page.split(&format!("```{language}\n")).nth(1).unwrap().split("```").next().unwrap();
    let mut tree = with("web.yaml", block("yaml"));
    tree.files.insert("tidegate.toml".to_owned(), block("toml").as_bytes().to_vec());
    let shop = |text: &str| text.replace("namespace: fleet", "namespace: shop");
    let fleet = String::from_utf8(tree.files["placement.yaml"].clone()).unwrap();
    tree.files.insert("shop.yaml".to_owned(), shop(fleet.split("---").next().unwrap()).into_bytes());
    assert_eq!(shown(&load(&tree, "")), [""; 0]);
}

#[test]
fn compat_semantics_have_no_applications() {
    let mut tree = tree(WEB);
    tree.files.insert("tidegate.toml".to_owned(), format!("{SETTINGS}[rollout]\nsemantics = 'compat'\n").into_bytes());
    let loaded = load(&tree, "");
    assert!(loaded.repository.blocked.contains_key(&web()), "{:?}", shown(&loaded));
}

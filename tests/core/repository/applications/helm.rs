//! Components with the objects of a vendored chart.

use serde_json::Value;
use tidegate_kustomize::vendor::{ChartDeclaration, State, Wanted};
use tidegate_model::tree::Tree;
use tidegate_repository::revisions::publish;
use tidegate_repository::{Unit, load, needs};

use super::types::application;
use super::{objects, tree, unit, web};
use crate::fixture::{edit, shown};
use crate::vendored::pinned;

const COMPONENT: &str = "\
name: server
type: helm
properties:
  chart: oci://example.com/charts/web
  version: ^1.2
  values: {replicas: 2, image: {tag: '1'}}
";

/// A policy that changes the component on other clusters.
fn policy(properties: &str) -> String {
    format!(
        "    - name: other
      type: override
      properties: {{components: [{{name: server, properties: {properties}}}]}}
    - name: few
      type: topology
      properties: {{clusters: [cluster1]}}
  workflow:
    steps:
      - {{name: first, type: deploy, properties: {{policies: [few, other]}}}}
      - {{name: then, type: deploy, properties: {{policies: [everywhere]}}}}
"
    )
}

/// Stands for helm: the objects of the chart, with the release, the namespace and the values.
fn rendered(chart: &ChartDeclaration) -> String {
    let values = chart.values.files.concat();
    let values = String::from_utf8(values).unwrap().replace('\n', ",");
    let namespace = chart.namespace.as_deref().unwrap();
    format!(
        "apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ServiceAccount
  metadata: {{name: {release}}}
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRole
  metadata: {{name: {release}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {{name: {release}, namespace: {namespace}}}
data: {{values: {values:?}, version: {version:?}}}
",
        release = chart.release,
        version = chart.source.version().unwrap_or("local")
    )
}

fn with_chart(web: &str) -> Tree {
    pinned(tree(web), &rendered)
}

/// Returns the kind, the namespace and the name of each object.
fn named(objects: &[Value]) -> Vec<String> {
    let text =
        |object: &Value, pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or("-").to_owned();
    let name = |object: &Value| {
        [text(object, "/kind"), text(object, "/metadata/namespace"), text(object, "/metadata/name")].join(" ")
    };
    objects.iter().map(name).collect()
}

/// Returns the data of the ConfigMap of each content that clusters get.
fn data(unit: &Unit) -> Vec<String> {
    let manifests =
        unit.configurations.values().map(|found| found.object.pointer("/spec/agentSpec/workload/manifests"));
    let maps =
        manifests.flatten().flat_map(|list| list.as_array().unwrap()).filter(|object| object["kind"] == "ConfigMap");
    maps.map(|map| map["data"].to_string()).collect()
}

#[test]
fn the_objects_of_a_chart_are_those_of_the_component() {
    let objects = objects(&unit(&with_chart(&application(&[COMPONENT]))));
    assert_eq!(named(&objects), ["ServiceAccount shop server", "ClusterRole - server", "ConfigMap shop server"]);
    assert_eq!(objects[0]["metadata"]["labels"]["app.oam.dev/component"], "server");
    assert_eq!(objects[2]["data"]["values"], "image:,  tag: \"1\",replicas: 2,");
}

#[test]
fn a_release_has_the_name_and_the_namespace_that_are_given() {
    let component = COMPONENT.replace("  values:", "  releaseName: site\n  targetNamespace: web-system\n  values:");
    let objects = objects(&unit(&with_chart(&application(&[&component]))));
    assert_eq!(named(&objects), ["ServiceAccount web-system site", "ClusterRole - site", "ConfigMap web-system site"]);
}

#[test]
fn values_files_come_before_values_and_a_null_stays() {
    let component = COMPONENT.replace(
        "  values: {replicas: 2, image: {tag: '1'}}",
        "  valuesFiles: [values/a.yaml, values/b.yaml]\n  values: {image: null, probe: {path: null}}",
    );
    let mut tree = tree(&application(&[&component]));
    tree.files.insert("values/a.yaml".to_owned(), b"# values\na: 1\n".to_vec());
    tree.files.insert("values/b.yaml".to_owned(), b"# values\nb: 1\n".to_vec());
    let objects = objects(&unit(&pinned(tree, &rendered)));
    assert_eq!(objects[2]["data"]["values"], "# values,a: 1,# values,b: 1,image: null,probe:,  path: null,");
}

#[test]
fn a_chart_of_the_repository_is_no_declaration() {
    let component = "name: server\ntype: helm\nproperties: {chart: ./charts/web}\n";
    let mut tree = tree(&application(&[component]));
    let files = [
        ("charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 0.1.0\n"),
        ("charts/web/templates/web.yaml", "kind: ConfigMap\nmetadata: {name: '{{ .Release.Name }}'}\n{{- if .x }}\n"),
    ];
    for (file, text) in files {
        tree.files.insert(file.to_owned(), text.as_bytes().to_vec());
    }
    let mut tree = pinned(tree, &rendered);
    assert_eq!(data(&unit(&tree)), [r#"{"values":"","version":"local"}"#]);
    assert_eq!(load(&tree, "").repository.may_change("charts/web/templates/new.yaml"), Some(true));
    edit(&mut tree, "charts/web/templates/web.yaml", "Release.Name", "Release.Namespace");
    let loaded = load(&tree, "");
    assert_eq!(
        shown(&loaded),
        ["web.yaml:10:27: the chart charts/web changed after it was rendered; run `tidegate vendor`"]
    );
    assert!(!loaded.repository.addons.contains_key(&web()));
}

#[test]
fn an_override_of_values_has_a_rendering_of_its_own() {
    let web_yaml = application(&[COMPONENT]) + &policy("{version: ^1.3, values: {replicas: 5}}");
    let before = tree(&web_yaml);
    assert_eq!(needs(&before, "").needs.len(), 2);
    let after = pinned(before, &rendered);
    let found = data(&unit(&after));
    let tag = "image:,  tag: \\\"1\\\"";
    let expected = [("2", "^1.2"), ("5", "^1.3")];
    let expected = expected
        .map(|(replicas, version)| format!(r#"{{"values":"{tag},replicas: {replicas},","version":"{version}"}}"#));
    assert_eq!(found.iter().collect::<std::collections::BTreeSet<_>>(), expected.iter().collect());
}

#[test]
fn an_override_that_is_not_rendered_is_an_error_and_does_not_get_the_objects_of_other_values() {
    let mut tree = with_chart(&application(&[COMPONENT]));
    let web_yaml = String::from_utf8(tree.files["web.yaml"].clone()).unwrap();
    tree.files.insert("web.yaml".to_owned(), (web_yaml + &policy("{values: {replicas: 5}}")).into_bytes());
    let loaded = load(&tree, "");
    assert_eq!(
        shown(&loaded),
        ["web.yaml:28:33: the values or options of the chart web changed after it was rendered; run `tidegate vendor`"]
    );
    assert!(!loaded.repository.addons.contains_key(&web()));
    assert!(loaded.complaints.iter().all(|complaint| complaint.addons.contains(&web())));
}

#[test]
fn an_edited_output_is_refused_and_blocks_the_application_only() {
    let mut tree = with_chart(&application(&[COMPONENT]));
    edit(&mut tree, "vendor/charts/0/manifests.yaml", "kind: ConfigMap", "kind: Secret");
    let loaded = load(&tree, "");
    let found = shown(&loaded);
    assert!(found.len() == 1 && found[0].contains("vendor/charts/0 was changed after it was vendored"), "{found:?}");
    assert!(!loaded.repository.addons.contains_key(&web()) && loaded.repository.addons.contains_key("hello"));
}

#[test]
fn a_published_revision_does_not_need_the_chart() {
    let mut tree = with_chart(&application(&[COMPONENT]));
    let name = "application/shop/web".to_owned().try_into().unwrap();
    let publication = publish(&tree, "", &name, Some("web-v1")).unwrap();
    tree.files.retain(|file, _| !file.starts_with("vendor"));
    tree.files.remove("web.yaml");
    tree.files.insert(publication.file, publication.text.unwrap().into_bytes());
    let deployment = "\
apiVersion: core.oam.dev/v1beta1
kind: AppDeployment
metadata: {name: web, namespace: shop}
spec:
  appRevisions:
    - revisionName: web-v1
      placement: [{clusterSelector: {name: a}}]
";
    tree.files.insert("deployment.yaml".to_owned(), deployment.as_bytes().to_vec());
    let loaded = load(&tree, "");
    let errors: Vec<String> =
        loaded.complaints.iter().filter(|found| found.is_error()).map(ToString::to_string).collect();
    assert_eq!(errors, [""; 0]);
    let unit = &loaded.repository.addons[&web()];
    assert_eq!(named(&objects(unit)), ["ServiceAccount shop server", "ClusterRole - server", "ConfigMap shop server"]);
}

#[test]
fn applications_that_are_switched_off_need_no_charts() {
    let mut tree = tree(&application(&[COMPONENT]));
    assert!(
        matches!(needs(&tree, "").needs.as_slice(), [need] if matches!(need.wanted, Wanted::Chart(_)) && need.state == State::Missing)
    );
    tree.files.remove("tidegate.toml");
    assert_eq!(needs(&tree, "").needs, []);
}

#[test]
fn mistakes_in_charts_of_components() {
    let wrong = |tree: &Tree| {
        let loaded = load(tree, "");
        let found = shown(&loaded);
        assert!(!loaded.repository.addons.contains_key(&web()), "{found:#?}");
        found.join("\n    ")
    };
    let of = |properties: &str| {
        wrong(&tree(&application(&[&format!("name: server\ntype: helm\nproperties: {properties}\n")])))
    };
    let over = |policy: &str| wrong(&with_chart(&(application(&[COMPONENT]) + policy)));
    let of_override = |change: &str| {
        over(&format!("    - name: other\n      type: override\n      properties: {{components: [{change}]}}\n"))
    };
    let without_objects = pinned(tree(&application(&[COMPONENT])), &|_| String::new());
    let hook = pinned(tree(&application(&[COMPONENT])), &|chart| {
        rendered(chart).replace(
            "metadata: {name: server, namespace: shop}",
            "metadata: {name: server, namespace: shop, annotations: {addon.open-cluster-management.io/addon-pre-delete: ''}}",
        )
    });
    let not_an_object = pinned(tree(&application(&[COMPONENT])), &|_| "kind: ConfigMap\n".to_owned());
    let not_yaml = pinned(tree(&application(&[COMPONENT])), &|_| "a: [\n".to_owned());
    let cases = [
        ("no chart", of("{}")),
        ("not vendored", of("{chart: 'oci://example.com/charts/web'}")),
        ("a name only", of("{chart: web}")),
        ("no such directory", of("{chart: ./charts/web}")),
        ("outside of the repository", of("{chart: ../charts/web}")),
        ("the version of a local chart", of("{chart: ./charts/web, version: '1'}")),
        ("a version that is a number", of("{chart: 'oci://example.com/charts/web', version: 1.5}")),
        ("an option instead of a version", of("{chart: 'oci://example.com/charts/web', version: --set}")),
        ("no such values file", of("{chart: 'oci://example.com/charts/web', valuesFiles: [prod.yaml]}")),
        ("not the name of a release", of("{chart: 'oci://example.com/charts/web', releaseName: Web}")),
        ("not a namespace", of("{chart: 'oci://example.com/charts/web', targetNamespace: Web}")),
        ("values that are a text", of("{chart: 'oci://example.com/charts/web', values: 'a: 1'}")),
        ("an unknown property", of("{chart: 'oci://example.com/charts/web', namespace: web}")),
        ("a near miss", of("{chart: 'oci://example.com/charts/web', relaseName: web}")),
        (
            "KubeVela's form",
            of(
                "{repoType: helm, url: 'https://example.com', chart: web, secretRef: a, pullInterval: 5m, valuesFrom: [], git: {branch: a}}",
            ),
        ),
        ("written objects", of("{chart: 'oci://example.com/charts/web', rendered: []}")),
        ("objects in an override", of_override("{name: server, properties: {rendered: []}}")),
        (
            "a chart in an override",
            of_override("{name: more, type: helm, properties: {chart: 'oci://example.com/charts/web'}}"),
        ),
        ("no objects", wrong(&without_objects)),
        ("a hook of an add-on", wrong(&hook)),
        ("not an object", wrong(&not_an_object)),
        ("not YAML", wrong(&not_yaml)),
        (
            "another namespace",
            over("    - name: few\n      type: topology\n      properties: {clusters: [cluster1], namespace: lab}\n"),
        ),
    ];
    let found: String = cases.iter().map(|(what, found)| format!("{what}\n    {found}\n")).collect();
    insta::assert_snapshot!("mistakes_in_charts", found);
}

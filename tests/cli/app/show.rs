//! `tidegate app show` and `tidegate app render`.

use super::{Directory, WEB};

#[test]
fn c3_an_application_is_shown_with_its_components_steps_and_objects() {
    let directory = Directory::new();
    insta::assert_snapshot!(directory.app(&["show", "shop/web"]), @r"
    $ tidegate app show shop/web --path [DIR]
    Application shop/web  web.yaml:1:1
      components, with their traits
        server (webservice): scaler
        extras (k8s-objects)
      policies
        first (topology)
        everywhere (placement)
        large (override)
      steps
        1 try: first, Placement shop/app-web-first, version 1.4.0
        2 all: everywhere, with large, Placement shop/everywhere, version 1.4.0+large
      objects of version 1.4.0
        ConfigMap shop/texts
        Deployment shop/server
        Service shop/server
      objects of version 1.4.0+large
        ConfigMap shop/texts
        Deployment shop/server
        Service shop/server
    --- stderr
    clusters and states are not shown: [DIR] cannot be read as a Git repository: there is no Git repository in [DIR] or above it; give a clone or a URL with --source
    ");
    let document = directory.json(&["show", "shop/web"]);
    assert_eq!(document["steps"][1]["overrides"], serde_json::json!(["large"]), "{document:#}");
}

#[test]
fn an_application_is_shown_with_what_it_requires_waits_for_and_does_not_own() {
    let directory = Directory::new();
    let policies = "    - name: kept
      type: garbage-collect
      properties: {rules: [{selector: {resourceTypes: [Service]}, strategy: never}]}
    - name: theirs
      type: read-only
      properties: {rules: [{selector: {componentNames: [extras], resourceNames: [texts]}}]}
    - name: people-scale
      type: apply-once
      properties: {enable: true, rules: [{selector: {resourceTypes: [Deployment]}, strategy: {path: [spec.replicas]}}]}
  workflow:
    steps:
      - {name: base, type: depends-on-app, properties: {name: base}}
";
    let web = WEB
        .replace("publishVersion: 1.4.0", "publishVersion: 1.4.0, tidegate.io/requires: 'application/shop/base'")
        .replace("  workflow:\n    steps:\n", policies)
        .replace(
            "      - {name: all,",
            "      - {name: look, type: suspend, properties: {duration: 5m}}\n      - {name: all,",
        );
    directory.write("web.yaml", &web);
    let base = web.split("  policies:").next().unwrap();
    let base = base.replace("name: web", "name: base").replace(", tidegate.io/requires: 'application/shop/base'", "");
    let base = base.replace("name: texts}", "name: others}").replace("name: server\n", "name: base\n");
    directory.write(
        "base.yaml",
        &format!("{base}  policies: [{{name: first, type: topology, properties: {{clusters: [prod-1]}}}}]\n"),
    );
    insta::assert_snapshot!("what_it_requires_waits_for_and_does_not_own", directory.app(&["show", "shop/web"]));
    let document = directory.json(&["show", "shop/web"]);
    assert_eq!(document["requires"], serde_json::json!(["application/shop/base"]));
    assert_eq!(document["waits"][1]["step"], 3, "{document:#}");
    assert_eq!(document["steps"][0]["manners"].as_object().unwrap().len(), 3, "{document:#}");
}

#[test]
fn an_application_is_shown_with_what_its_components_depend_on() {
    let directory = Directory::new();
    let objects = directory.json(&["render", "shop/web", "--step", "try"]);
    directory.write("web.yaml", &WEB.replace("type: k8s-objects\n", "type: k8s-objects\n      dependsOn: [server]\n"));
    let shown = directory.app(&["show", "shop/web"]);
    assert!(shown.contains("    server (webservice): scaler\n    extras (k8s-objects), after server\n"), "{shown}");
    let components = &directory.json(&["show", "shop/web"])["components"];
    assert_eq!(components[1]["dependsOn"], serde_json::json!(["server"]));
    assert!(components[0].get("dependsOn").is_none(), "{components}");
    // What a cluster gets in the end is the same.
    assert_eq!(directory.json(&["render", "shop/web", "--step", "try"]), objects);
}

#[test]
fn what_a_cluster_and_a_step_get_is_rendered() {
    let directory = Directory::new();
    let replicas = |arguments: &[&str]| {
        let objects = directory.json(arguments);
        (objects.as_array().unwrap().len(), objects[0]["spec"]["replicas"].as_i64().unwrap())
    };
    assert_eq!(replicas(&["render", "shop/web", "--cluster", "prod-1"]), (3, 3));
    assert_eq!(replicas(&["render", "shop/web", "--cluster", "prod-3"]), (3, 5));
    for step in ["2", "all", "everywhere"] {
        assert_eq!(replicas(&["render", "shop/web", "--step", step]), (3, 5));
    }
    let yaml = directory.app(&["render", "shop/web", "--step", "try"]);
    assert_eq!(yaml.matches("\n---\n").count(), 3, "{yaml}");
    insta::assert_snapshot!([
        directory.app(&["render", "shop/web", "--step", "tyr"]),
        directory.app(&["render", "shop/web", "--cluster", "Prod_1"]),
        directory.app(&["render", "shop/web"]),
    ].join("\n"), @r#"
    $ tidegate app render shop/web --step tyr --path [DIR]
    --- stderr
    error: --step tyr: shop/web has no such step; did you mean "try"?
    --- exit code 2

    $ tidegate app render shop/web --cluster Prod_1 --path [DIR]
    --- stderr
    error: --cluster: "Prod_1" is not a valid cluster name: only lower-case letters, digits, '-' and '.' are allowed
    --- exit code 2

    $ tidegate app render shop/web --path [DIR]
    --- stderr
    error: the following required arguments were not provided:
      <--cluster <CLUSTER>|--step <STEP>>

    Usage: tidegate app render --path <DIR> <--cluster <CLUSTER>|--step <STEP>> <NAMESPACE/NAME>

    For more information, try '--help'.
    --- exit code 2
    "#);
}

#[test]
fn the_overlay_of_a_component_is_not_validated_as_one_that_a_daemon_follows() {
    let directory = Directory::new();
    let write = |file: &str, text: &str| {
        let path = directory.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("tidegate.toml", "[repository]\npath = \"fleet\"\n[applications]\nenabled = true\n");
    write("apps/o/kustomization.yaml", "resources: [map.yaml]\nnamePrefix: k-\n");
    write("apps/o/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: texts}\n");
    std::fs::create_dir_all(directory.path().join("fleet")).unwrap();
    for file in ["fleet.yaml", "web.yaml"] {
        std::fs::rename(directory.path().join(file), directory.path().join("fleet").join(file)).unwrap();
    }
    let shop = "apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {name: texts, namespace: shop}
spec:
  components: [{name: texts, type: kustomize, properties: {path: ./apps//o/}}]
  policies: [{name: everywhere, type: placement, properties: {name: everywhere}}]
";
    write("fleet/texts.yaml", shop);
    let validated = super::super::session(&[&["validate", directory.path().to_str().unwrap()][..]]);
    assert!(!validated.contains("apps/o") && !validated.contains("exit code"), "{validated}");
    let rendered = directory.app(&["render", "shop/texts", "--step", "everywhere"]);
    assert!(rendered.contains("name: k-texts"), "{rendered}");
}

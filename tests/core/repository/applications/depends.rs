//! Components that come after others: what is read, what is refused and where, and what clusters get.

use serde_json::{Value, json};
use tidegate_model::tree::Tree;
use tidegate_repository::revisions::publish;
use tidegate_repository::{Configuration, load};

use super::{tree, unit, web};
use crate::fixture::{edit, shown};

/// Returns an application with these components, each with what follows its type.
fn shop(components: &[(&str, &str)], rest: &str) -> Tree {
    let component = |(name, rest): &(&str, &str)| {
        format!("    - name: {name}\n      type: worker\n      properties: {{image: 'example.com/{name}:1'}}\n{rest}")
    };
    let components: String = components.iter().map(component).collect();
    tree(&format!(
        "apiVersion: core.oam.dev/v1beta1\nkind: Application\nmetadata: {{name: web, namespace: shop}}\nspec:\n  components:\n{components}  policies:\n    - {{name: all, type: placement, properties: {{namespace: fleet, name: everywhere}}}}\n{rest}"
    ))
}

fn after(names: &str) -> String {
    format!("      dependsOn: [{names}]\n")
}

/// Returns the order in the content of each step.
fn orders(tree: &Tree) -> Vec<Value> {
    let unit = unit(tree);
    let order = |content: &Value| content["spec"].get("dependsOn").cloned().unwrap_or_default();
    unit.configurations.values().map(|content| order(&content.object)).collect()
}

#[test]
fn what_clusters_get_has_the_order_of_the_components() {
    let (api, server) = (after("database"), after("api, cache"));
    let all = [("server", server.as_str()), ("api", api.as_str()), ("database", ""), ("cache", "")];
    assert_eq!(orders(&shop(&all, "")), [json!({ "api": ["database"], "server": ["api", "cache"] })]);
    let plain = shop(&[("api", ""), ("database", "")], "");
    let empty = shop(&[("api", &after("")), ("database", "")], "");
    assert_eq!(orders(&plain), [Value::Null]);
    // Nothing to wait for is as if it was not written.
    assert_eq!(unit(&plain).digest, unit(&empty).digest);
    let ordered = shop(&[("api", &after("database")), ("database", "")], "");
    assert_ne!(unit(&plain).digest, unit(&ordered).digest);
}

#[test]
fn mistakes_in_the_order_are_found_at_their_places() {
    let found = |components: &[(&str, &str)]| {
        let loaded = load(&shop(components, ""), "");
        assert!(loaded.repository.blocked.contains_key(&web()), "{components:?}");
        shown(&loaded).join("\n")
    };
    let texts = [
        found(&[("api", &after("databse")), ("database", "")]),
        found(&[("api", &after("storage")), ("database", ""), ("cache", "")]),
        found(&[("api", &after("api")), ("database", "")]),
        found(&[("api", &after("database")), ("database", &after("api"))]),
        found(&[
            ("first", &after("api")),
            ("api", &after("cache")),
            ("cache", &after("database")),
            ("database", &after("api")),
        ]),
        found(&[("api", "      dependsOn: database\n"), ("database", "")]),
        found(&[("api", "      dependsOn: [1, Database, '']\n"), ("database", "")]),
        found(&[("api", &after("a")), ("database", "      dependson: [api]\n")]),
    ];
    insta::assert_snapshot!(texts.join("\n"), @r#"
    web.yaml:9:19: spec.components[0].dependsOn[0] is "databse", which is not a component; did you mean "database"?
    web.yaml:9:19: spec.components[0].dependsOn[0] is "storage", which is not a component; write "database" or "cache"
    web.yaml:9:19: spec.components[0].dependsOn[0] is api, the component itself; remove it
    web.yaml:9:19: spec.components[0].dependsOn[0] is database, which depends on api itself (api -> database -> api); remove one of these dependencies
    web.yaml:13:19: spec.components[1].dependsOn[0] is cache, which depends on api itself (api -> cache -> database -> api); remove one of these dependencies
    web.yaml:9:18: spec.components[0].dependsOn is a string; write a list
    web.yaml:9:19: spec.components[0].dependsOn[0] is a number; put it in quotes
    web.yaml:9:22: spec.components[0].dependsOn[1] is "Database"; write lower-case letters, digits and '-', with a letter or digit at both ends
    web.yaml:9:32: spec.components[0].dependsOn[2] is ""; write lower-case letters, digits and '-', with a letter or digit at both ends
    web.yaml:9:19: spec.components[0].dependsOn[0] is "a", which is not a component; write "database"
    web.yaml:13:7: spec.components[1].dependson is not known; did you mean "dependsOn"?
    "#);
}

#[test]
fn a_component_that_an_override_leaves_out_is_not_waited_for() {
    let rest = "    - {name: small, type: override, properties: {selector: [server, database]}}\n    - name: more\n      type: override\n      properties: {components: [{name: cache, type: worker, properties: {image: 'example.com/cache:1'}}]}\n    - {name: eu, type: topology, properties: {clusterLabelSelector: {env: eu}}}\n  workflow:\n    steps:\n      - {name: small, type: deploy, properties: {policies: [small, all]}}\n      - {name: more, type: deploy, properties: {policies: [more, eu]}}\n";
    let (api, server) = (after("database"), after("api, cache"));
    let all = [("server", server.as_str()), ("api", api.as_str()), ("database", "")];
    let mut tree = shop(&all, rest);
    // The namespace in which Placements of topologies select clusters.
    edit(&mut tree, "web.yaml", "namespace: shop", "namespace: fleet");
    let loaded = load(&tree, "");
    assert_eq!(shown(&loaded), [""; 0]);
    let unit = &loaded.repository.addons["application/fleet/web"];
    let order = |content: &Configuration| content.object["spec"]["dependsOn"].clone();
    let orders: Vec<Value> = unit.configurations.values().map(order).collect();
    // The order of the others stays as it is, and a component may wait for one that only some clusters have.
    assert!(orders.contains(&json!({ "server": ["database"] })), "{orders:?}");
    assert!(orders.contains(&json!({ "api": ["database"], "server": ["api", "cache"] })), "{orders:?}");
}

#[test]
fn a_published_revision_keeps_the_order() {
    let mut tree = shop(&[("api", &after("database")), ("database", "")], "");
    let text = String::from_utf8(tree.files["web.yaml"].clone()).unwrap();
    let (head, _) = text.split_once("  policies:").unwrap();
    let candidate =
        head.replace("namespace: shop}", "namespace: shop, annotations: {app.oam.dev/revision-only: 'true'}}");
    tree.files.insert("web.yaml".to_owned(), candidate.clone().into_bytes());
    let name = "application/shop/web".to_owned().try_into().unwrap();
    let published = publish(&tree, "", &name, Some("web-v1")).unwrap();
    tree.files.insert(published.file, published.text.unwrap().into_bytes());
    let deployment = "apiVersion: core.oam.dev/v1beta1\nkind: AppDeployment\nmetadata: {name: all, namespace: shop}\nspec:\n  appRevisions:\n    - revisionName: web-v1\n      placement: [{clusterSelector: {labels: {env: eu}}, distribution: {replicas: 3}}]\n";
    tree.files.insert("deployment.yaml".to_owned(), deployment.as_bytes().to_vec());
    let loaded = load(&tree, "");
    assert_eq!(shown(&loaded), [""; 0]);
    let unit = &loaded.repository.addons["application/shop/all"];
    let content = unit.configurations.values().next().unwrap();
    assert_eq!(content.object["spec"]["dependsOn"], json!({ "api": ["database"] }));
    // Another order is another revision.
    tree.files.insert("web.yaml".to_owned(), candidate.replace("dependsOn: [database]", "dependsOn: []").into_bytes());
    assert!(publish(&tree, "", &name, None).unwrap().text.is_some());
}

//! Definitions that read `context.cluster`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_model::name::ClusterName;
use tidegate_model::shared::Shared;
use tidegate_model::tree::Tree;
use tidegate_repository::{ClusterContents, Repository, Unit, load};

use super::{SERVER, add, complaints, tree};
use crate::applications::types::application;
use crate::applications::web;
use crate::fixture::{edit, shown};

type Clusters = Shared<BTreeMap<ClusterName, Arc<ManagedCluster>>>;

/// A type of components with a ConfigMap that has these data.
fn place(data: &str) -> String {
    format!(
        "\
apiVersion: core.oam.dev/v1beta1
kind: ComponentDefinition
metadata: {{name: place, namespace: shop}}
spec:
  schematic:
    tidegate:
      objects:
        - name: place
          template:
            apiVersion: v1
            kind: ConfigMap
            metadata: {{name: '${{context.name}}'}}
            data: {data}
"
    )
}

fn declared(data: &str) -> Tree {
    let mut tree = tree(&application(&["name: here\ntype: place\n"]));
    add(&mut tree, "place.yaml", &place(data));
    tree
}

fn cluster(name: &str, labels: Value) -> (ClusterName, Arc<ManagedCluster>) {
    let object = json!({
        "metadata": { "name": name, "labels": labels }, "spec": {},
        "status": { "version": { "kubernetes": "v1.31.2" }, "clusterClaims": [{ "name": "id.k8s.io", "value": name }] },
    });
    (name.parse().unwrap(), Arc::new(serde_json::from_value(object).unwrap()))
}

fn repository(tree: &Tree) -> Repository {
    let loaded = load(tree, "");
    assert!(!loaded.complaints.iter().any(tidegate_repository::Complaint::is_error), "{:?}", shown(&loaded));
    loaded.repository
}

/// Returns the data that a cluster gets, or why it gets nothing.
fn data<'u>(unit: &'u Unit, cluster: &str) -> Result<&'u Value, &'u str> {
    let reference = unit.given(0, &cluster.parse().unwrap())?.unwrap();
    Ok(&unit.configurations[reference].object["spec"]["agentSpec"]["workload"]["manifests"][0]["data"])
}

#[test]
fn c2_name_labels_claims_and_version_of_the_cluster_are_rendered() {
    let tree = declared(
        "{name: '${context.cluster.name}', region: \"${context.cluster.labels.?region.orValue('eu')}\", id: \"${context.cluster.claims['id.k8s.io']}\", version: '${context.cluster.version}'}",
    );
    let clusters: Clusters = [cluster("a", json!({ "region": "us" })), cluster("b", json!({}))].into_iter().collect();
    let found = ClusterContents::default().of(&repository(&tree), &clusters).unwrap();
    let unit = &found.addons[&web()];
    let of = |name: &str, region: &str| json!({ "name": name, "region": region, "id": name, "version": "v1.31.2" });
    assert_eq!(data(unit, "a"), Ok(&of("a", "us")));
    assert_eq!(data(unit, "b"), Ok(&of("b", "eu")));
    assert!(data(unit, "c").unwrap_err().contains("nothing is known"), "a cluster that the hub does not have");
}

#[test]
fn c2_an_expression_that_fails_holds_its_cluster_alone_and_says_where() {
    let tree = declared("{region: '${context.cluster.labels.region}'}");
    let clusters: Clusters = [cluster("a", json!({ "region": "us" })), cluster("b", json!({}))].into_iter().collect();
    let found = ClusterContents::default().of(&repository(&tree), &clusters).unwrap();
    let unit = &found.addons[&web()];
    assert_eq!(data(unit, "a"), Ok(&json!({ "region": "us" })));
    let why = data(unit, "b").unwrap_err();
    assert!(why.contains("place.yaml:13:28: ${context.cluster.labels.region}"), "{why}");
}

#[test]
fn c2_what_a_cluster_gets_is_checked_like_what_all_clusters_get() {
    // A number is no value of a ConfigMap.
    let tree = declared("\"${context.cluster.labels.region == 'us' ? {'a': 'b'} : {'a': 'b'}}\"");
    let mut wrong = declared("{}");
    let data_of = "            data: {}";
    edit(
        &mut wrong,
        "place.yaml",
        data_of,
        "            data: \"${{'n': context.cluster.name == 'a' ? dyn(1) : dyn('one')}}\"",
    );
    let clusters: Clusters =
        [cluster("a", json!({ "region": "us" })), cluster("b", json!({ "region": "eu" }))].into_iter().collect();
    let found = ClusterContents::default().of(&repository(&tree), &clusters).unwrap();
    assert_eq!(data(&found.addons[&web()], "a"), Ok(&json!({ "a": "b" })));
    let found = ClusterContents::default().of(&repository(&wrong), &clusters).unwrap();
    let unit = &found.addons[&web()];
    let why = data(unit, "a").unwrap_err();
    assert!(why.contains("data.n"), "{why}");
    assert_eq!(data(unit, "b"), Ok(&json!({ "n": "one" })));
}

#[test]
fn c2_clusters_with_equal_values_share_a_rendering_and_unread_labels_cost_nothing() {
    let tree = declared("{region: '${context.cluster.labels.region}'}");
    let repository = repository(&tree);
    let region = |index: usize| if index.is_multiple_of(2) { "eu" } else { "us" };
    let clusters = |note: &str| -> Clusters {
        let of = |index| cluster(&format!("c{index}"), json!({ "region": region(index), "note": note }));
        (0..20).map(of).collect()
    };
    let mut contents = ClusterContents::default();
    let first = contents.of(&repository, &clusters("a")).unwrap();
    assert_eq!(contents.renderings(), 2);
    let second = contents.of(&repository, &clusters("b")).unwrap();
    assert_eq!(contents.renderings(), 2);
    assert_eq!(first, second);
    let again = clusters("b");
    let (one, two) = (contents.of(&repository, &again).unwrap(), contents.of(&repository, &again).unwrap());
    assert!(one.addons.is_same(&two.addons));
}

#[test]
fn c2_without_the_cluster_nothing_is_rendered_for_clusters() {
    let mut tree = tree(&application(&["name: front\ntype: server\nproperties: {image: 'web:1'}\n"]));
    add(&mut tree, "server.yaml", SERVER);
    let mut contents = ClusterContents::default();
    assert_eq!(contents.of(&repository(&tree), &[cluster("a", json!({}))].into_iter().collect()), None);
    assert_eq!(contents.renderings(), 0);
}

#[test]
fn c2_the_digest_covers_the_definition_and_no_cluster() {
    let tree = declared("{region: '${context.cluster.labels.region}'}");
    let before = repository(&tree);
    let on_fleet =
        ClusterContents::default().of(&before, &[cluster("a", json!({ "region": "us" }))].into_iter().collect());
    assert_eq!(on_fleet.unwrap().digest(&web()), before.digest(&web()));
    let other = repository(&declared("{area: '${context.cluster.labels.region}'}"));
    assert_ne!(other.digest(&web()), before.digest(&web()));
}

#[test]
fn c2_declared_clusters_are_examples_and_otherwise_a_place_holder() {
    let mut tree = declared("{region: '${context.cluster.labels.region}'}");
    let said = complaints(&tree);
    assert!(
        said.contains(
            "for cluster east-1 with its declared labels: spec.components[0] cannot be rendered: place.yaml:13:28"
        ),
        "{said}"
    );
    assert!(said.ends_with("such a cluster keeps what it has"), "{said}");
    let labelled = declared("{region: '${context.cluster.labels.?region.orValue(context.cluster.name)}'}");
    assert_eq!(complaints(&labelled), "");
    tree.files.retain(|_, text| !String::from_utf8_lossy(text).contains("kind: ManagedCluster\n"));
    let said = complaints(&tree);
    assert!(said.contains("for a cluster without labels and claims, since no ManagedCluster is declared: "), "{said}");
}

#[test]
fn c2_two_units_with_one_object_on_a_cluster_are_refused_there() {
    let mut tree = declared("{}");
    edit(
        &mut tree,
        "place.yaml",
        "metadata: {name: '${context.name}'}",
        "metadata: {name: 'of-${context.cluster.name}'}",
    );
    let other = application(&[
        "name: other\ntype: k8s-objects\nproperties: {objects: [{apiVersion: v1, kind: ConfigMap, metadata: {name: of-a}}]}\n",
    ]);
    add(&mut tree, "other.yaml", &other.replace("name: web", "name: other"));
    let clusters: Clusters = [cluster("a", json!({})), cluster("b", json!({}))].into_iter().collect();
    let found = ClusterContents::default().of(&repository(&tree), &clusters).unwrap();
    let unit = &found.addons[&web()];
    assert!(data(unit, "a").unwrap_err().contains("application/shop/other"));
    assert_eq!(data(unit, "b"), Ok(&json!({})));
}

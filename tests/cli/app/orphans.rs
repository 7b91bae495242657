//! `tidegate app orphans` against a hub that is served over HTTP.

use serde_json::{Value, json};
use tidegate_api::key::{INSTANCE_LABEL, UNIT, UNIT_LABEL};

use super::Directory;
use crate::cli::adopt::Served;

fn work(name: &str, unit: Option<&str>) -> Value {
    let annotations = unit.map(|unit| json!({ UNIT: unit })).unwrap_or_default();
    json!({
        "apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork",
        "metadata": {
            "name": name, "namespace": "prod-1", "labels": { UNIT_LABEL: "a", INSTANCE_LABEL: "b" }, "annotations": annotations,
        },
        "spec": { "workload": { "manifests": [] } },
    })
}

#[tokio::test]
async fn c19_works_that_nothing_declares_are_listed_and_stay() {
    let served = Served::with_crds().await;
    let directory = Directory::new();
    let root = directory.path().to_str().unwrap();
    let none = served.session(&[&["app", "orphans", "--path", root]]).await;
    assert!(none.contains("there are no orphans") && !none.contains("exit code"), "{none}");
    let works = [
        work("app-web-0", Some("application/shop/web")),
        work("app-gone-0", Some("application/shop/gone")),
        work("x", None),
        work("y", Some("nonsense")),
    ];
    served.hub.seed(works).unwrap();
    let found =
        served.session(&[&["app", "orphans", "--path", root], &["app", "orphans", "--path", root, "-o", "json"]]).await;
    insta::assert_snapshot!(found.lines().filter(|line| line.contains("ManifestWork ")).collect::<Vec<_>>().join("\n"), @r#"
    ManifestWork prod-1/app-gone-0: the repository declares no application shop/gone
    ManifestWork prod-1/x: it has the label tidegate.io/unit, and no annotation with the name of an application
    ManifestWork prod-1/y: its annotation tidegate.io/unit does not name an application: "nonsense" is not a valid application: it is not of the form application/namespace/name
    "#);
    assert!(found.contains("--- exit code 1") && !found.contains("app-web-0"), "{found}");
    // What is declared is not known, so nothing is called an orphan.
    directory.write("broken.yaml", "a: [");
    let unknown = served.session(&[&["app", "orphans", "--path", root]]).await;
    assert!(unknown.contains("it is not known what is declared") && !unknown.contains("ManifestWork "), "{unknown}");
}

//! `tidegate app publish`, `tidegate app revisions` and `tidegate app diff`.

use std::fs;

use serde_json::json;

use super::Directory;

const CANDIDATE: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata:
  name: hello
  namespace: shop
  annotations: {app.oam.dev/revision-only: \"true\"}
spec:
  components:
    - name: world
      type: webservice
      properties: {image: 'example.com/hello:v1', port: 8080}
";

const DEPLOYMENT: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: AppDeployment
metadata: {name: everywhere, namespace: shop}
spec:
  appRevisions:
    - revisionName: hello-v1
      placement: [{clusterSelector: {name: prod-1}, distribution: {replicas: 3}}]
";

fn directory() -> Directory {
    let directory = Directory::new();
    fs::create_dir(directory.path().join("apps")).unwrap();
    directory.write("apps/hello.yaml", CANDIDATE);
    directory
}

#[test]
fn c8_revisions_are_published_listed_and_compared() {
    let directory = directory();
    insta::assert_snapshot!(directory.app(&["publish", "shop/hello"]), @"");
    insta::assert_snapshot!(directory.app(&["publish", "application/shop/hello"]), @"");
    directory.write("apps/hello.yaml", &CANDIDATE.replace("hello:v1", "hello:v2"));
    insta::assert_snapshot!(directory.app(&["publish", "shop/hello", "--as", "hello-v1"]), @"");
    insta::assert_snapshot!(directory.app(&["diff", "shop/hello-v1", "application/shop/hello"]), @"");
    let document = directory.json(&["publish", "shop/hello"]);
    assert_eq!((&document["revision"], &document["isNew"]), (&json!("shop/hello-v2"), &json!(true)), "{document:#}");
    directory.write("deployment.yaml", DEPLOYMENT);
    insta::assert_snapshot!(directory.app(&["revisions", "shop/hello"]), @"");
    let document = directory.json(&["revisions", "shop/hello"]);
    assert_eq!(document["revisions"][0]["usedBy"], json!(["shop/everywhere"]), "{document:#}");
    let document = directory.json(&["diff", "shop/hello-v1", "shop/hello-v2"]);
    assert_eq!(document["objects"][0]["object"], "Deployment shop/world", "{document:#}");
    assert!(directory.app(&["diff", "shop/hello-v1", "shop/hello-v1"]).contains("no object differs"));
}

#[test]
fn what_cannot_be_published_or_compared_says_why() {
    let directory = directory();
    insta::assert_snapshot!(directory.app(&["publish", "shop/helo"]), @"");
    insta::assert_snapshot!(directory.app(&["publish", "hello"]), @"");
    insta::assert_snapshot!(directory.app(&["diff", "shop/hello-v1", "hello"]), @"");
    insta::assert_snapshot!(directory.app(&["revisions", "shop/hello"]), @"");
    directory.write("apps/hello.yaml", &CANDIDATE.replace("type: webservice", "type: webservise"));
    insta::assert_snapshot!(directory.app(&["publish", "shop/hello"]), @"");
    assert_eq!(fs::read_dir(directory.path().join("apps")).unwrap().count(), 1);
}

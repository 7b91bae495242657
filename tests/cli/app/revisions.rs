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
    insta::assert_snapshot!(directory.app(&["publish", "shop/hello"]), @r#"
    $ tidegate app publish shop/hello --path [DIR]
    apps/hello-v1.yaml: revision shop/hello-v1 (digest [HASH]); commit it
    "#);
    insta::assert_snapshot!(directory.app(&["publish", "application/shop/hello"]), @r#"
    $ tidegate app publish application/shop/hello --path [DIR]
    nothing to do: revision shop/hello-v1 in apps/hello-v1.yaml has this content (digest [HASH])
    "#);
    directory.write("apps/hello.yaml", &CANDIDATE.replace("hello:v1", "hello:v2"));
    insta::assert_snapshot!(directory.app(&["publish", "shop/hello", "--as", "hello-v1"]), @r#"
    $ tidegate app publish shop/hello --as hello-v1 --path [DIR]
    --- stderr
    error: revision "hello-v1" exists at apps/hello-v1.yaml:1:1 with digest [HASH], and the application has [HASH]; choose another name
    --- exit code 1
    "#);
    insta::assert_snapshot!(directory.app(&["diff", "shop/hello-v1", "application/shop/hello"]), @r#"
    $ tidegate app diff shop/hello-v1 application/shop/hello --path [DIR]
    Deployment shop/world differs
    @@ -17,7 +17,7 @@
             app.oam.dev/component: world
         spec:
           containers:
    -      - image: example.com/hello:v1
    +      - image: example.com/hello:v2
             name: world
             ports:
             - containerPort: 8080
    "#);
    let document = directory.json(&["publish", "shop/hello"]);
    assert_eq!((&document["revision"], &document["isNew"]), (&json!("shop/hello-v2"), &json!(true)), "{document:#}");
    directory.write("deployment.yaml", DEPLOYMENT);
    insta::assert_snapshot!(directory.app(&["revisions", "shop/hello"]), @r#"
    $ tidegate app revisions shop/hello --path [DIR]
    REVISION  DIGEST        IMAGES                USED BY          STATE
    hello-v1  [HASH]  example.com/hello:v1  shop/everywhere  sound
    hello-v2  [HASH]  example.com/hello:v2  -                sound
    "#);
    let document = directory.json(&["revisions", "shop/hello"]);
    assert_eq!(document["revisions"][0]["usedBy"], json!(["shop/everywhere"]), "{document:#}");
    let document = directory.json(&["diff", "shop/hello-v1", "shop/hello-v2"]);
    assert_eq!(document["objects"][0]["object"], "Deployment shop/world", "{document:#}");
    assert!(directory.app(&["diff", "shop/hello-v1", "shop/hello-v1"]).contains("no object differs"));
}

#[test]
fn what_cannot_be_published_or_compared_says_why() {
    let directory = directory();
    insta::assert_snapshot!(directory.app(&["publish", "shop/helo"]), @r#"
    $ tidegate app publish shop/helo --path [DIR]
    --- stderr
    error: the repository has no application/shop/helo; did you mean "application/shop/hello"?
    --- exit code 2
    "#);
    insta::assert_snapshot!(directory.app(&["publish", "hello"]), @r#"
    $ tidegate app publish hello --path [DIR]
    --- stderr
    error: invalid value 'hello' for '<NAMESPACE/NAME>': "hello" is not a valid application: it is not of the form application/namespace/name

    For more information, try '--help'.
    --- exit code 2
    "#);
    insta::assert_snapshot!(directory.app(&["diff", "shop/hello-v1", "hello"]), @r#"
    $ tidegate app diff shop/hello-v1 hello --path [DIR]
    --- stderr
    error: revision "hello-v1" does not exist in namespace shop; publish it with `tidegate app publish`
    --- exit code 2
    "#);
    insta::assert_snapshot!(directory.app(&["revisions", "shop/hello"]), @r#"
    $ tidegate app revisions shop/hello --path [DIR]
    --- stderr
    no revision is published; `tidegate app publish` publishes one
    "#);
    directory.write("apps/hello.yaml", &CANDIDATE.replace("type: webservice", "type: webservise"));
    insta::assert_snapshot!(directory.app(&["publish", "shop/hello"]), @r#"
    $ tidegate app publish shop/hello --path [DIR]
    --- stderr
    error: application/shop/hello has errors, so what it renders to is not known: apps/hello.yaml:10:13: no component type "webservise"; did you mean "webservice"? (definitions are looked for in namespaces shop and vela-system)
    --- exit code 1
    "#);
    assert_eq!(fs::read_dir(directory.path().join("apps")).unwrap().count(), 1);
}

//! The output of `tidegate validate` about the manifests of templates.

use std::fs;

use super::{code, shown, tidegate};

use crate::scratch::tempdir;

const TEMPLATE: &str = "\
apiVersion: addon.open-cluster-management.io/v1beta1
kind: AddOnTemplate
metadata: { name: hello-1 }
spec:
  addonName: hello
  agentSpec:
    workload:
      manifests:
        - apiVersion: apps/v1
          kind: Deployment
          metadata: { name: hello, namespace: default }
          spec:
            replica: 2
            selector: { matchLabels: { app: hello } }
            template:
              metadata: { labels: { app: helo } }
              spec:
                containers:
                  - name: hello
                    img: 'hello:{{VERSION}}'
                    env: [{ name: PORT, value: 8080 }]
        - apiVersion: v1
          kind: ConfigMap
          metadata: { name: hello, namespace: default }
        - apiVersion: v1
          kind: ConfigMap
          metadata: { name: hello, namespace: default }
";

#[test]
fn mistakes_in_manifests_are_underlined() {
    let directory = tempdir();
    fs::write(directory.path().join("template.yaml"), TEMPLATE).unwrap();
    let output = tidegate(&["validate", directory.path().to_str().unwrap()]);
    assert_eq!(code(&output), 1);
    insta::assert_snapshot!("manifests", shown(&output));
}

#[test]
fn first_use_b6_warnings_end_with_1_only_if_asked() {
    let directory = tempdir();
    let template = TEMPLATE
        .replace("replica: 2", "replicas: 2")
        .replace("app: helo ", "app: hello ")
        .replace("value: 8080", "value: '8080'");
    fs::write(directory.path().join("template.yaml"), template).unwrap();
    let path = directory.path().to_str().unwrap();
    for (arguments, expected) in [(vec!["validate", path], 0), (vec!["validate", "--strict", path], 1)] {
        let output = tidegate(&arguments);
        assert_eq!(code(&output), expected, "{}", shown(&output));
    }
}

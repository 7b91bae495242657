//! Tests of rendering templates for a cluster.

use serde_json::{Value, json};

use tidegate_delivery::{Error, Subject, registration_namespace, render};

use super::builders::{cluster, cluster1, config, deployment, hello, objects, rendered, template};

#[test]
fn a_deployment_gets_everything_that_upstream_adds() {
    let manifest = json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "d", "namespace": "ns1", "foo": "bar"},
        "spec": {
            "replicas": 1, "bogus": 1, "selector": {"matchLabels": {"a": "b"}},
            "template": {"metadata": {"labels": {"a": "b"}}, "spec": {
                "initContainers": [{"name": "i", "image": "quay.io/x/i:1"}],
                "containers": [{
                    "name": "c", "image": "quay.io/x/c:1",
                    "env": [{"name": "L", "value": "{{LOG}}"}, {"name": "CLUSTER_NAME", "value": "own"}],
                    "args": ["--x={{ CLUSTER_NAME }}", "--y={{UNKNOWN}}", "--z={{CLUSTER_NAME}}"],
                }],
            }},
        },
    });
    let registration = json!([
        {"type": "KubeClient"},
        {"type": "CustomSigner", "customSigner": {"signerName": "example.com/signer.name/x", "signingCA": {"name": "ca"}}},
    ]);
    let config = config(json!({
        "agentInstallNamespace": "inst",
        "customizedVariables": [
            {"name": "LOG", "value": "4"}, {"name": "HUB_KUBECONFIG", "value": "/x"}, {"name": "CLUSTER_NAME", "value": "evil"},
        ],
        "registries": [{"source": "quay.io/x", "mirror": "quay.io/y/"}],
        "nodePlacement": {"nodeSelector": {"h": "s"}},
        "proxyConfig": {"httpProxy": "http://p", "caBundle": "Y2E="},
    }));
    let (addon, template) = (hello(), template(json!([manifest]), registration));
    let subject = Subject { addon: &addon, template: &template, config: Some(&config), cluster: &cluster1() };
    let expected = json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "d", "namespace": "inst"},
        "spec": {
            "replicas": 1, "selector": {"matchLabels": {"a": "b"}}, "strategy": {},
            "template": {"metadata": {"labels": {"a": "b"}}, "spec": {
                "containers": [{
                    "name": "c", "image": "quay.io/y/c:1", "resources": {},
                    "args": ["--x=", "--y=", "--z=cluster1"],
                    "env": [
                        {"name": "L", "value": "4"},
                        {"name": "CLUSTER_NAME", "value": "own"},
                        {"name": "HUB_KUBECONFIG", "value": "/x"},
                        {"name": "CLUSTER_NAME", "value": "cluster1"},
                        {"name": "INSTALL_NAMESPACE", "value": "inst"},
                        {"name": "HTTP_PROXY", "value": "http://p"},
                        {"name": "http_proxy", "value": "http://p"},
                        {"name": "CA_BUNDLE_FILE_PATH", "value": "/managed/proxy-ca/ca-bundle.crt"},
                    ],
                    "volumeMounts": [
                        {"name": "hub-kubeconfig", "mountPath": "/managed/hub-kubeconfig"},
                        {"name": "cert-example-com-signer-name-x", "mountPath": "/managed/example.com-signer.name-x"},
                        {"name": "proxy-ca-bundle", "mountPath": "/managed/proxy-ca"},
                    ],
                }],
                "initContainers": [{"name": "i", "image": "quay.io/x/i:1", "resources": {}}],
                "nodeSelector": {"h": "s"},
                "volumes": [
                    {"name": "hub-kubeconfig", "secret": {"secretName": "hello-hub-kubeconfig"}},
                    {
                        "name": "cert-example-com-signer-name-x",
                        "secret": {"secretName": "hello-example.com-signer.name-x-client-cert"},
                    },
                    {"name": "proxy-ca-bundle", "configMap": {"name": "hello-proxy-ca"}},
                ],
            }},
        },
        "status": {},
    });
    let certificates = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "hello-proxy-ca", "namespace": "inst"}, "data": {"ca-bundle.crt": "ca"},
    });
    assert_eq!(objects(&render(&subject).unwrap()), [expected, certificates]);
}

#[test]
fn the_install_namespace_reaches_into_nested_lists() {
    let binding = json!({
        "apiVersion": "v1", "kind": "RoleBinding", "metadata": {"name": "b"}, "subjects": [[{"name": "u"}], "odd"],
    });
    let objects = rendered(json!([binding]), json!({"agentInstallNamespace": "inst"})).unwrap().objects;
    assert_eq!(objects[0]["subjects"], json!([[{"name": "u", "namespace": "inst"}], "odd"]));
}

#[test]
fn each_invalid_byte_of_certificates_becomes_a_replacement_character() {
    // The bytes e2 82, which are the start of a character, and x.
    let proxy = json!({"proxyConfig": {"caBundle": "4oJ4"}});
    let objects = rendered(json!([]), proxy).unwrap().objects;
    assert_eq!(objects[0]["data"]["ca-bundle.crt"], "\u{fffd}\u{fffd}x");
}

#[test]
fn the_install_namespace_moves_objects_subjects_and_namespaces() {
    let manifests = json!([
        {
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "b"},
            "subjects": [{"kind": "User", "name": "u"}, {"kind": "ServiceAccount", "name": "sa", "namespace": "ns1"}],
        },
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ns1"}},
        {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "s", "namespace": "ns1"}, "spec": {"odd": 1}},
        {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "no-namespace"}},
    ]);
    let objects = rendered(manifests, json!({"agentInstallNamespace": "inst"})).unwrap().objects;
    let subjects = json!([
        {"kind": "User", "name": "u", "namespace": "inst"},
        {"kind": "ServiceAccount", "name": "sa", "namespace": "inst"},
    ]);
    assert_eq!(objects[0]["subjects"], subjects);
    assert_eq!(objects[1]["metadata"], json!({"name": "inst"}));
    assert_eq!(
        *objects[2],
        json!({
            "apiVersion": "apps/v1", "kind": "StatefulSet",
            "metadata": {"name": "s", "namespace": "inst"}, "spec": {"odd": 1},
        })
    );
    assert_eq!(objects[3]["metadata"], json!({"name": "no-namespace"}));
}

#[test]
fn a_binding_without_subjects_is_an_error_only_with_an_install_namespace() {
    let binding =
        json!([{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": "b"}}]);
    assert!(rendered(binding.clone(), json!({"agentInstallNamespace": ""})).is_ok());
    let error = rendered(binding, json!({"agentInstallNamespace": "inst"})).unwrap_err();
    assert!(matches!(error, Error::NoField("subjects")), "{error}");
}

fn image_with(mirrors: &[(&str, &str)], image: &str) -> Value {
    let registries: Vec<Value> =
        mirrors.iter().map(|(source, mirror)| json!({"source": source, "mirror": mirror})).collect();
    let manifests = json!([deployment(json!([{"name": "c", "image": image}]))]);
    let objects = rendered(manifests, json!({"registries": registries})).unwrap().objects;
    objects[0]["spec"]["template"]["spec"]["containers"][0]["image"].clone()
}

#[test]
fn registries_replace_a_prefix_and_the_last_that_changes_the_image_wins() {
    assert_eq!(image_with(&[("quay.io/x", "quay.io/y")], "quay.io/xx/c:1"), "quay.io/yx/c:1");
    assert_eq!(image_with(&[("", "m.io")], "quay.io/a/b:1"), "m.io/b:1");
    assert_eq!(image_with(&[("", "")], "quay.io/a/b:1"), "b:1");
    assert_eq!(image_with(&[("quay.io/a", "")], "quay.io/a/b:1"), "/b:1");
    assert_eq!(image_with(&[("quay.io/a/", "m.io/z/")], "quay.io/a/b@sha256:00"), "m.io/z/b@sha256:00");
    assert_eq!(image_with(&[("quay.io/a", "m1"), ("quay.io/a/b", "m2/b")], "quay.io/a/b:1"), "m2/b:1");
    assert_eq!(image_with(&[("quay.io/a", "m1"), ("quay.io/a", "quay.io/a")], "quay.io/a/b:1"), "m1/b:1");
}

#[test]
fn registries_of_the_cluster_count_if_the_configuration_names_none() {
    let annotation = r#"{"registries":[{"source":"quay.io","mirror":"near.io"}]}"#;
    let cluster = cluster(
        json!({"name": "c", "annotations": {"open-cluster-management.io/image-registries": annotation}}),
        json!({}),
    );
    let (addon, template) =
        (hello(), template(json!([deployment(json!([{"name": "c", "image": "quay.io/i"}]))]), Value::Null));
    let image = |spec: Value| {
        let config = config(spec);
        let subject = Subject { addon: &addon, template: &template, config: Some(&config), cluster: &cluster };
        render(&subject).unwrap().objects[0]["spec"]["template"]["spec"]["containers"][0]["image"].clone()
    };
    assert_eq!(image(json!({})), "near.io/i");
    assert_eq!(image(json!({"registries": []})), "quay.io/i");
}

#[test]
fn the_last_pattern_that_matches_a_container_sets_its_resources() {
    let spec = json!({"resourceRequirements": [
        {"containerID": "deployments:*:*", "resources": {"limits": {"cpu": "1000m"}}},
        {"containerID": "deployments:*:c*", "resources": {"limits": {"memory": "1024Mi"}}},
        {"containerID": "daemonsets:*:*", "resources": {"limits": {"cpu": "9"}}},
    ]});
    let containers = json!([{"name": "cc"}, {"name": "other"}]);
    let objects = rendered(json!([deployment(containers)]), spec).unwrap().objects;
    let containers = &objects[0]["spec"]["template"]["spec"]["containers"];
    assert_eq!(containers[0]["resources"], json!({"limits": {"memory": "1Gi"}}));
    assert_eq!(containers[1]["resources"], json!({"limits": {"cpu": "1"}}));
}

#[test]
fn a_container_id_has_three_parts() {
    let spec = json!({"resourceRequirements": [{"containerID": "a:b", "resources": {}}]});
    assert_eq!(rendered(json!([]), spec).unwrap_err().to_string(), "invalid ContainerID: a:b");
}

#[test]
fn tolerations_count_only_with_a_node_selector() {
    let tolerations = json!([{"key": "k", "operator": "Exists"}]);
    let pod = |placement: Value| {
        let manifests = json!([deployment(json!([]))]);
        let objects = rendered(manifests, json!({"nodePlacement": placement})).unwrap().objects;
        objects[0]["spec"]["template"]["spec"].clone()
    };
    assert_eq!(pod(json!({"tolerations": tolerations}))["tolerations"], Value::Null);
    assert_eq!(pod(json!({"nodeSelector": {}, "tolerations": tolerations}))["tolerations"], tolerations);
}

#[test]
fn a_variable_with_a_reserved_name_displaces_the_setting() {
    let variable = |name: &str| json!({"customizedVariables": [{"name": name, "value": "v"}]});
    let manifests = json!([deployment(json!([{"name": "c"}]))]);
    let moved = rendered(manifests.clone(), variable("__INSTALL_NAMESPACE")).unwrap();
    assert_eq!(moved.objects[0]["metadata"]["namespace"], "v");
    let error = rendered(manifests, variable("__REGISTRIES")).unwrap_err();
    assert_eq!(error.to_string(), "registries value is invalid");
}

#[test]
fn hooks_are_recognized_by_annotation_or_label() {
    let hook = |kind: &str, mark: &str| {
        let marks = json!({"addon.open-cluster-management.io/addon-pre-delete": ""});
        json!({"apiVersion": "v1", "kind": kind, "metadata": {"name": kind, mark: marks}})
    };
    // If one label is not a string, all labels are ignored.
    let mut odd = hook("Pod", "labels");
    odd["metadata"]["labels"]["x"] = json!(1);
    let manifests = json!([hook("Job", "annotations"), hook("Pod", "labels"), hook("ConfigMap", "annotations"), odd]);
    let rendered = rendered(manifests, json!({})).unwrap();
    assert_eq!(rendered.hooks().count(), 2);
    assert_eq!(rendered.deploy().count(), 2);
}

#[test]
fn the_registration_namespace_is_that_of_the_first_deployment() {
    let workload = |kind: &str, namespace: &str| json!({"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": "w", "namespace": namespace}});
    let of = |manifests: Value| registration_namespace(&template(manifests, Value::Null), None);
    assert_eq!(of(json!([workload("DaemonSet", "a"), workload("Deployment", "b")])), "b");
    assert_eq!(of(json!([workload("DaemonSet", "a"), workload("Deployment", "")])), "a");
    assert_eq!(
        of(json!([workload("Deployment", ""), workload("DaemonSet", "a")])),
        "open-cluster-management-agent-addon"
    );
    let template = template(json!([workload("Deployment", "b")]), Value::Null);
    let configured = |namespace: &str| config(json!({"agentInstallNamespace": namespace}));
    assert_eq!(registration_namespace(&template, Some(&configured("c"))), "c");
    assert_eq!(registration_namespace(&template, Some(&configured(""))), "b");
}

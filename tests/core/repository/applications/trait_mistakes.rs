//! What is refused in traits, and where.

use super::traits::wrong;

#[test]
fn mistakes_in_traits() {
    let found = wrong(&[
        ("unknown trait", "- {type: gatewy, properties: {http: {/: 80}}}"),
        ("not supported", "- {type: nocalhost}\n- {type: init-container}\n- {type: pvc}\n- {type: lifecycle}"),
        ("unknown property", "- {type: gateway, properties: {http: {/: 80}, classs: nginx}}"),
        ("gateway without paths", "- {type: gateway, properties: {http: {}}}"),
        ("relative path", "- {type: gateway, properties: {http: {api: 80}}}"),
        ("secret without domain", "- {type: gateway, properties: {http: {/: 80}, secretName: tls}}"),
        (
            "two gateways",
            "- {type: gateway, properties: {http: {/: 80}}}\n- {type: gateway, properties: {http: {/: 80}}}",
        ),
        ("two services", "- {type: expose, properties: {port: [80]}}\n- {type: expose, properties: {port: [80]}}"),
        ("resource in part", "- {type: resource, properties: {cpu: 1}}"),
        ("resource twice", "- {type: resource, properties: {cpu: 1, requests: {cpu: 1}}}"),
        ("resource of nothing", "- {type: resource}"),
        ("no quantity", "- {type: resource, properties: {cpu: 1, memory: much}}"),
        ("container", "- {type: container-image, properties: {containerName: serve, image: a}}"),
        ("no image", "- {type: container-image, properties: {containers: [{containerName: server}]}}"),
        ("beside containers", "- {type: command, properties: {args: [a], containers: [{containerName: server}]}}"),
        ("args twice", "- {type: command, properties: {args: [a], addArgs: [b]}}"),
        ("sidecar", "- {type: sidecar, properties: {name: server, image: a}}"),
        ("no volume", "- {type: sidecar, properties: {name: logs, image: a, volumes: [{name: logs, path: /logs}]}}"),
        ("another kind", "- {type: k8s-update-strategy, properties: {targetKind: DaemonSet, strategy: {}}}"),
        ("another type", "- {type: k8s-update-strategy, properties: {strategy: {type: OnDelete}}}"),
        ("partition", "- {type: k8s-update-strategy, properties: {strategy: {rollingStrategy: {partition: 1}}}}"),
        (
            "no pod at all",
            "- {type: k8s-update-strategy, properties: {strategy: {rollingStrategy: {maxSurge: 0, maxUnavailable: 0}}}}",
        ),
        ("rolling", "- {type: k8s-update-strategy, properties: {strategy: {type: Recreate, rollingStrategy: {}}}}"),
        ("rule", "- {type: service-account, properties: {name: a, privileges: [{verbs: [get], resources: [pods]}]}}"),
        (
            "urls",
            "- {type: service-account, properties: {name: a, privileges: [{verbs: [get], nonResourceURLs: [/]}]}}",
        ),
        ("affinity", "- {type: affinity, properties: {podAffinity: {required: [{}], prefered: []}}}"),
        ("mountOnly", "- {type: storage, properties: {configMap: [{name: a, mountOnly: true, data: {a: b}}]}}"),
        (
            "another volume",
            "- {type: storage, properties: {emptyDir: [{name: a, mountPath: /a}, {name: a, mountPath: /b, medium: Memory}]}}",
        ),
        (
            "mounted twice",
            "- {type: storage, properties: {emptyDir: [{name: a, mountPath: /a}, {name: b, mountPath: /a}]}}",
        ),
        ("operation", "- {type: json-patch, properties: {operations: [{op: put, path: /a, value: 1}]}}"),
        ("pointer", "- {type: json-patch, properties: {operations: [{op: add, path: a, value: 1}]}}"),
        ("no value", "- {type: json-patch, properties: {operations: [{op: add, path: /a}]}}"),
        ("no source", "- {type: json-patch, properties: {operations: [{op: copy, path: /a}]}}"),
        ("no such field", "- {type: json-patch, properties: {operations: [{op: replace, path: /spec/x, value: 1}]}}"),
        (
            "index",
            "- {type: json-patch, properties: {operations: [{op: remove, path: /spec/template/spec/containers/1}]}}",
        ),
        ("test", "- {type: json-patch, properties: {operations: [{op: test, path: /kind, value: null}]}}"),
        ("into itself", "- {type: json-patch, properties: {operations: [{op: move, from: /spec, path: /spec/x}]}}"),
    ]);
    insta::assert_snapshot!("mistakes_in_traits", found);
}

#[test]
fn a_patch_cannot_grow_a_workload_without_limit() {
    let copies = |from: &str, path: &str, count: usize| {
        let copy = format!("{{op: copy, from: {from}, path: {path}}}");
        format!("- {{type: json-patch, properties: {{operations: [{}]}}}}", vec![copy; count].join(", "))
    };
    let wide = copies("/spec", "/spec/template/spec/containers/-", 40);
    let deep = copies("/metadata", "/metadata/deep", 80);
    let found = wrong(&[("wide", &wide), ("deep", &deep)]);
    insta::assert_snapshot!("grown", found);
    let text = "x".repeat(300_000);
    let merge = format!("- {{type: json-merge-patch, properties: {{metadata: {{annotations: {{a: {text}}}}}}}}}");
    assert!(wrong(&[("merge", &merge)]).contains("larger than 256 KiB"));
    let many = copies("/spec", "/spec/deep", 101);
    assert!(wrong(&[("many", &many)]).contains("at most 100 items"));
    let traits = vec!["- {type: labels, properties: {a: b}}"; 51].join("\n");
    assert!(wrong(&[("many", &traits)]).contains("at most 50 items"));
}

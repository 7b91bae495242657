//! The traits of components: what they change, and the mistakes in their properties.

use serde_json::Value;

use super::types::{application, mistakes};
use super::{objects, tree, unit};

/// A component that every trait can change.
const SERVER: &str = "\
name: server
type: webservice
properties:
  image: example.com/web:1
  args: [serve, --verbose]
  ports: [{port: 8080}]
";

fn with(traits: &str) -> String {
    let lines: String = traits.lines().map(|line| format!("  {line}\n")).collect();
    format!("{SERVER}traits:\n{lines}")
}

/// Returns what traits change, as a list of the lines of the objects that differ.
pub(super) fn changed(traits: &str) -> String {
    let text = |component: &str| {
        let objects = objects(&unit(&tree(&application(&[component]))));
        lines(&Value::Array(objects), String::new())
    };
    let (before, after) = (text(SERVER), text(&with(traits)));
    let removed = before.iter().filter(|line| !after.contains(line)).map(|line| format!("- {line}\n"));
    let added = after.iter().filter(|line| !before.contains(line)).map(|line| format!("+ {line}\n"));
    removed.chain(added).collect()
}

/// Returns each value with its pointer.
fn lines(value: &Value, at: String) -> Vec<String> {
    match value {
        Value::Object(members) if !members.is_empty() => {
            members.iter().flat_map(|(name, value)| lines(value, format!("{at}/{name}"))).collect()
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().flat_map(|(index, value)| lines(value, format!("{at}/{index}"))).collect()
        }
        value => vec![format!("{at}: {value}")],
    }
}

/// Returns the complaints about traits, each with its name.
pub(super) fn wrong(traits: &[(&str, &str)]) -> String {
    let components: Vec<(&str, String)> = traits.iter().map(|(what, traits)| (*what, with(traits))).collect();
    mistakes(&components)
}

#[test]
fn traits_change_containers() {
    let traits = "\
- {type: container-image, properties: {image: 'example.com/web:2', imagePullPolicy: Always}}
- {type: command, properties: {command: [/web], addArgs: [--port=8080, serve], delArgs: [--verbose]}}
- {type: resource, properties: {requests: {cpu: 100m, memory: 1Gi}, limits: {cpu: 1, memory: 1Gi}}}
- type: sidecar
  properties:
    name: logs
    image: example.com/logs:1
    cmd: [tail]
    volumes: [{name: emptydir-logs, path: /logs}]
- {type: command, properties: {containers: [{containerName: logs, args: [-f, /logs/all]}]}}
- {type: storage, properties: {emptyDir: [{name: logs, mountPath: /var/log}]}}
";
    insta::assert_snapshot!("containers", changed(traits));
}

#[test]
fn storage_makes_objects_volumes_and_variables() {
    let traits = "\
- type: storage
  properties:
    pvc:
      - {name: data, mountPath: /data, storageClassName: fast, resources: {requests: {storage: 1Gi}}}
      - {name: raw, mountPath: /dev/raw, volumeMode: Block}
    configMap:
      - {name: settings, mountPath: /etc/web, subPath: a, data: {a: b}, items: [{key: a, path: a}]}
      - {name: flags, mountOnly: true, mountToEnv: {envName: FLAG, configMapKey: flag}}
    secret:
      - name: token
        mountPath: /token
        readOnly: true
        stringData: {token: x}
        mountToEnvs: [{envName: TOKEN, secretKey: token}]
    hostPath: [{name: run, path: /run, mountPath: /host/run}]
";
    insta::assert_snapshot!("storage", changed(traits));
}

#[test]
fn traits_change_where_pods_run_and_as_whom() {
    let traits = "\
- type: affinity
  properties:
    podAntiAffinity:
      required: [{topologyKey: kubernetes.io/hostname, namespace: other, labelSelector: {matchLabels: {a: b}}}]
      preferred: [{weight: 5, podAffinityTerm: {topologyKey: zone}}]
    nodeAffinity:
      required: {nodeSelectorTerms: [{matchExpressions: [{key: disk, values: [ssd]}]}]}
      preferred: [{weight: 1, preference: {matchFields: [{key: metadata.name, operator: NotIn, values: [a]}]}}]
    tolerations: [{key: edge, value: 'yes', effect: NoSchedule}]
- type: service-account
  properties:
    name: web
    create: true
    privileges:
      - {verbs: [get], apiGroups: [''], resources: [configmaps]}
      - {verbs: [list], apiGroups: [''], resources: [nodes], scope: cluster}
      - {verbs: [get], nonResourceURLs: [/healthz], scope: cluster}
- {type: k8s-update-strategy, properties: {strategy: {rollingStrategy: {maxSurge: '1'}}}}
";
    insta::assert_snapshot!("pods", changed(traits));
}

#[test]
fn a_gateway_is_an_ingress_and_a_service() {
    let traits = "\
- type: gateway
  properties: {domain: web.example.com, secretName: tls, http: {/: 8080, /api: 8080, /admin: 9090}, labels: {a: b}}
- {type: gateway, properties: {name: inner, http: {/: 8080}, class: haproxy, classInSpec: true, existingServiceName: server}}
";
    insta::assert_snapshot!("gateways", changed(traits));
}

#[test]
fn patches_change_any_field_of_the_workload() {
    let traits = r#"
- type: json-patch
  properties:
    operations:
      - {op: test, path: /spec/template/spec/containers/0/name, value: server}
      - {op: add, path: /spec/template/spec/terminationGracePeriodSeconds, value: 5}
      - {op: add, path: /spec/template/metadata/annotations, value: {a~b/c: x}}
      - {op: copy, from: /spec/template/metadata/annotations/a~0b~1c, path: /spec/template/metadata/annotations/d}
      - {op: add, path: /spec/template/spec/containers/0/args/-, value: --more}
      - {op: remove, path: /spec/template/spec/containers/0/args/0}
- type: json-merge-patch
  properties:
    metadata: {annotations: {a: b}}
    spec: {template: {spec: {dnsPolicy: Default, containers: null}}}
- type: json-merge-patch
  properties: {spec: {template: {spec: {containers: [{name: server, image: 'example.com/other:1'}]}}}}
"#
    .trim_start();
    let (patched, _) = traits.rsplit_once(", containers: null").unwrap();
    insta::assert_snapshot!("patches", changed(&format!("{patched}}}}}}}")));
    // Nothing is left of what the first patch sets.
    insta::assert_snapshot!("removed", wrong(&[("removed", traits)]));
}

#[test]
fn traits_that_contradict_each_other_are_refused() {
    let found = wrong(&[
        ("replicas", "- {type: scaler, properties: {replicas: 2}}\n- {type: scaler, properties: {replicas: 3}}"),
        (
            "the strategy as a whole",
            "- {type: json-merge-patch, properties: {spec: {strategy: {type: Recreate}}}}\n- {type: k8s-update-strategy, properties: {strategy: {type: RollingUpdate}}}",
        ),
        (
            "a variable",
            "- {type: env, properties: {env: {A: a}}}\n- {type: storage, properties: {secret: [{name: s, mountToEnv: {envName: A, secretKey: a}}]}}",
        ),
        ("arguments", "- {type: command, properties: {addArgs: [-a]}}\n- {type: command, properties: {delArgs: [-a]}}"),
    ]);
    insta::assert_snapshot!("contradictions", found);
    let agree = "- {type: scaler, properties: {replicas: 2}}\n- {type: scaler, properties: {replicas: 2}}\n- {type: command, properties: {addArgs: [-a]}}\n- {type: command, properties: {addArgs: [-b]}}";
    assert!(changed(agree).contains("replicas: 2"));
}

#[test]
fn a_trait_cannot_change_which_object_it_is_or_which_pods_it_selects() {
    let patch = |path: &str, value: &str| {
        format!("- {{type: json-patch, properties: {{operations: [{{op: add, path: {path}, value: {value}}}]}}}}")
    };
    let cases = [
        ("name", patch("/metadata/name", "x")),
        ("kind", patch("/kind", "Job")),
        ("all", patch("''", "{}")),
        ("selector", patch("/spec/selector/matchLabels/a", "b")),
        ("label", patch("/spec/template/metadata/labels/app.oam.dev~1component", "x")),
        ("labels", patch("/spec/template/metadata/labels", "{}")),
        ("pods", "- {type: json-merge-patch, properties: {spec: {template: {metadata: null}}}}".to_owned()),
        (
            "hook",
            "- {type: annotations, properties: {addon.open-cluster-management.io/addon-pre-delete: ''}}".to_owned(),
        ),
        ("wrong type", patch("/spec/replicas", "many")),
    ];
    let cases: Vec<(&str, &str)> = cases.iter().map(|(what, traits)| (*what, traits.as_str())).collect();
    insta::assert_snapshot!("identity", wrong(&cases));
}

//! What is refused in definitions and by them, and where.

use tidegate_repository::load;

use super::{GUARD, SERVER, add, complaints, with_definitions};
use crate::applications::web;
use crate::fixture::{edit, shown};

const WEB: &str = "\
name: front
type: server
properties: {image: 'web:1', hosts: [a]}
traits: [{type: guard}]
";

/// Returns what is wrong after each edit of a file, and checks that the application is blocked.
fn wrong(file: &str, edits: &[(&str, &str)]) -> String {
    let found = edits.iter().map(|(from, to)| {
        let mut tree = with_definitions(&[WEB]);
        edit(&mut tree, file, from, to);
        let loaded = load(&tree, "");
        assert!(loaded.repository.blocked.contains_key(&web()), "{from} -> {to}: {:?}", shown(&loaded));
        assert!(loaded.repository.addons.contains_key("hello") && !loaded.repository.may_prune, "{from} -> {to}");
        format!("{from:?} -> {to:?}\n    {}\n", shown(&loaded).join("\n    "))
    });
    found.collect()
}

#[test]
fn mistakes_in_the_schema_of_parameters() {
    let found = wrong(
        "server.yaml",
        &[
            ("parameters:\n", "parametres:\n"),
            ("type: object\n        required", "type: array\n        items: {type: string}\n        required"),
            ("required: [image]", "required: [imgae]"),
            ("image: {type: string, minLength: 1}", "image: {minLength: 1}"),
            ("image: {type: string, minLength: 1}", "image: {type: text}"),
            ("image: {type: string, minLength: 1}", "image: {type: string, minLenght: 1}"),
            ("image: {type: string, minLength: 1}", "image: {type: string, pattern: '('}"),
            ("image: {type: string, minLength: 1}", "image: {type: string, format: uri}"),
            ("image: {type: string, minLength: 1}", "image: {type: string, not: {enum: [a]}}"),
            ("image: {type: string, minLength: 1}", "image: {$ref: '#/definitions/image'}"),
            ("default: 2", "default: 0"),
            ("default: 2", "default: two"),
            ("items: {type: string}, maxItems: 10", "maxItems: 10"),
            ("additionalProperties: {type: string}", "additionalProperties: true"),
            ("self.replicas < 10", "self.replica < 10"),
            ("self.replicas < 10", "self.replicas + 10"),
            ("self.replicas < 10", "self.replicas < true"),
            ("self.replicas < 10", "oldSelf.replicas < 10"),
            ("self.replicas < 10", "self.replicas <"),
            ("fieldPath: .replicas", "fieldPath: replicas"),
        ],
    );
    insta::assert_snapshot!("mistakes_in_the_schema_of_parameters", found);
}

#[test]
fn mistakes_in_templates() {
    let found = wrong(
        "server.yaml",
        &[
            ("${parameters.image}", "${parameters.imgae}"),
            ("${parameters.image}", "${parameters.image"),
            ("${parameters.image}", "${}"),
            ("${parameters.image}", "${parameters.image + 1}"),
            ("${parameters.image}", "${output.image}"),
            ("${parameters.image}", "${context.cluster.namespace}"),
            ("${parameters.image}", "${context.appRevision}"),
            ("${parameters.image}", "${quantity(parameters.image)}"),
            ("--name=${context.appName}", "--name=${parameters.hosts}"),
            ("data: {host: '${host}'", "data: {'${host}': '${host}'"),
            ("${host != \"localhost\"}", "host != \"localhost\""),
            ("${host != \"localhost\"}", "${host}"),
            ("[{host: '${parameters.?hosts.orValue([])}'}]", "[{host: '${parameters.image}'}]"),
            ("[{host: '${parameters.?hosts.orValue([])}'}]", "[{parameters: '${[1]}'}]"),
            ("[{host: '${parameters.?hosts.orValue([])}'}]", "[{for: '${[1]}'}]"),
            ("[{host: '${parameters.?hosts.orValue([])}'}]", "[{host: '${[1]}', port: '${[1]}'}]"),
            ("includeWhen:", "readyWhen:"),
            ("- name: hosts\n", "- name: hosts\n          readyWhen: ['${object.status.conditions[0].ok}']\n"),
            (
                "- name: hosts\n",
                "- name: hosts\n          readyWhen: ['${object.status.conditions.exists(c, c.ok)}']\n",
            ),
            ("- name: hosts\n", "- name: hosts\n          readyWhen: ['${object.status.phase + \"x\"}']\n"),
            ("- name: hosts\n", "- name: hosts\n          readyWhen: ['${object.spec.hosts == parameters.hosts}']\n"),
            ("- name: hosts\n", "- name: hosts\n          readyWhen: ['${true}']\n"),
            ("- name: hosts\n", "- name: hosts\n          readyWhen: object.status.ready\n"),
            ("- name: hosts\n", "- name: hosts\n          readyWhen: ['object.status.ready']\n"),
            ("includeWhen:", "includeIf:"),
            ("- name: hosts", "- name: workload"),
            ("        - name: hosts\n", "        - {name: none}\n        - name: hosts\n"),
        ],
    );
    insta::assert_snapshot!("mistakes_in_templates", found);
}

#[test]
fn conditions_that_cannot_be_judged_are_refused_where_they_are_rendered() {
    let objects = |annotation: &str| {
        format!(
            "name: front\ntype: k8s-objects\nproperties: {{objects: [{{apiVersion: v1, kind: ConfigMap, metadata: {{name: a, annotations: {{tidegate.io/ready-when: '{annotation}'}}}}}}]}}\n"
        )
    };
    let complaints = |component: &str| complaints(&with_definitions(&[component]));
    assert_eq!(complaints(&objects(r#"["object.data.ready == ''yes''"]"#)), "");
    insta::assert_snapshot!(
        complaints(&objects("object.data.ready")),
        @"web.yaml:8:7: spec.components[0].(ConfigMap a).metadata.annotations.tidegate.io/ready-when is no list of expressions in JSON; correct it, or write readyWhen in a definition"
    );
    insta::assert_snapshot!(
        complaints(&objects(r#"["object.data[0]"]"#)),
        @"web.yaml:8:7: spec.components[0].(ConfigMap a).metadata.annotations.tidegate.io/ready-when has the condition object.data[0], which cannot be judged: it reads an item of a list, at 1:12 of the expression; correct it, or write readyWhen in a definition"
    );
    let patched = "name: front\ntype: server\nproperties: {image: 'web:1'}\ntraits: [{type: json-merge-patch, properties: {metadata: {annotations: {tidegate.io/ready-when: '[]'}}}}]\n";
    insta::assert_snapshot!(
        complaints(patched),
        @"web.yaml:11:53: spec.components[0].traits[0].properties changes metadata.annotations.tidegate.io/ready-when of the workload, which has the conditions of its definition; leave this out"
    );
}

#[test]
fn mistakes_in_what_a_definition_says_about_itself() {
    let of_component = wrong(
        "server.yaml",
        &[
            ("v1beta1", "v1alpha2"),
            ("schematic:\n    tidegate:\n", "schematic:\n    cue: {template: ''}\n    tidegate:\n"),
            ("schematic:\n    tidegate:\n", "schematic:\n    terraform: {}\n    tidegate:\n"),
            ("schematic:\n    tidegate:\n", "schematic:\n    kube: {template: {}}\n    tidegate:\n"),
            ("schematic:\n    tidegate:\n", "schematic:\n    tidegat:\n"),
            ("  workload:", "  status: {healthPolicy: 'isHealth: true'}\n  workload:"),
            ("{definition: {apiVersion: apps/v1, kind: Deployment}}", "{type: deployments.apps}"),
            (
                "{definition: {apiVersion: apps/v1, kind: Deployment}}",
                "{definition: {apiVersion: apps/v1, kind: StatefulSet}}",
            ),
            ("name: server,", "name: serber,"),
            ("namespace: shop", "namespace: other"),
        ],
    );
    let of_trait = wrong(
        "guard.yaml",
        &[
            ("spec:\n  applies", "spec:\n  stage: PostDispatch\n  applies"),
            ("spec:\n  applies", "spec:\n  manageWorkload: true\n  applies"),
            ("conflictsWith: [sidecar]", "conflictsWith: ['*.apps']"),
            ("conflictsWith: [sidecar]", "conflictWith: [sidecar]"),
            ("tidegate:\n", "kube:\n"),
            ("appliesToWorkloads: [deployments.apps, daemon]", "appliesToWorkloads: [statefulsets.apps, daemon]"),
        ],
    );
    let found = of_component + &of_trait;
    insta::assert_snapshot!("mistakes_in_definitions", found);
}

#[test]
fn what_a_definition_renders_is_checked_like_any_other_object() {
    let of_component = wrong(
        "server.yaml",
        &[
            ("replicas: '${parameters.replicas}'", "replicas: '${string(parameters.replicas)}'"),
            ("metadata: {labels: {app: '${context.name}'}}", "metadata: {labels: {app: other}}"),
            ("metadata: {name: '${context.name}-${host}'}", "metadata: {name: ''}"),
            ("apiVersion: v1\n            kind: ConfigMap", "apiVersion: v1"),
            (
                "- name: hosts",
                "- {name: twice, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: front-a}}}\n        - name: hosts",
            ),
            (
                "kind: ConfigMap\n            metadata: {name: '${context.name}-${host}'}",
                "kind: CronJob\n            metadata: {name: 'a-name-of-more-than-fifty-two-characters-is-too-long-for-it'}",
            ),
            ("'${parameters.image}'", "'${parameters.hosts[3]}'"),
            ("'${parameters.image}'", "'${string(1 / (size(parameters.hosts) - 1))}'"),
            ("data: {host", "data: {secret: '${[1].map(a, {\"b\": a})}', host"),
        ],
    );
    let of_trait = wrong(
        "guard.yaml",
        &[
            ("path: /metadata/annotations", "path: /metadata/name"),
            ("path: /metadata/annotations", "path: /spec/selector/matchLabels/app"),
            ("path: /metadata/annotations", "path: /metadata/none/annotations"),
            ("op: add", "op: put"),
            (
                "        spec:\n          template:\n            spec:\n",
                "        spec:\n          $retainKeys: [template]\n          template:\n            spec:\n",
            ),
            ("- name: '${output.spec.template.spec.containers[0].name}'\n                  env", "- env"),
            ("${output.spec.selector.matchLabels}", "${output.spec.selectors.matchLabels}"),
            (
                "metadata: {name: '${context.name}'}",
                "metadata: {name: '${context.name}', annotations: {addon.open-cluster-management.io/addon-pre-delete: ''}}",
            ),
        ],
    );
    let found = of_component + &of_trait;
    insta::assert_snapshot!("mistakes_in_what_is_rendered", found);
}

#[test]
fn mistakes_in_uses_of_definitions() {
    let found = wrong(
        "web.yaml",
        &[
            ("type: server", "type: serber"),
            ("type: server", "type: cloneset"),
            ("type: guard", "type: expose-nodeport"),
            ("type: guard", "type: nocalhost"),
            ("image: 'web:1', ", ""),
            ("image: 'web:1'", "image: 1"),
            ("image: 'web:1'", "image: 'web:1', imagePullPolicy: Always"),
            ("image: 'web:1'", "image: 'web:1', kind: Deployment"),
            ("[{type: guard}]", "[{type: guard}, {type: sidecar, properties: {name: a, image: b}}]"),
            ("[{type: guard}]", "[{type: sidecar, properties: {name: a, image: b}}, {type: guard}]"),
            ("[{type: guard}]", "[{type: guard}, {type: env, properties: {env: {GUARD: other}}}]"),
            ("[{type: guard}]", "[{type: guard}, {type: guard}]"),
        ],
    );
    insta::assert_snapshot!("mistakes_in_uses_of_definitions", found);
}

#[test]
fn the_name_of_a_built_in_type_is_refused_and_the_built_in_type_stays() {
    let mut tree =
        with_definitions(&["name: front\ntype: webservice\nproperties: {image: a}\ntraits: [{type: scaler}]\n"]);
    add(&mut tree, "server.yaml", &SERVER.replace("name: server", "name: webservice"));
    add(&mut tree, "guard.yaml", &GUARD.replace("name: guard", "name: scaler"));
    let loaded = load(&tree, "");
    insta::assert_snapshot!(shown(&loaded).join("\n"), @r#"
    guard.yaml:3:18: metadata.name is "scaler", which is a trait type that is built in; rename it
    server.yaml:3:18: metadata.name is "webservice", which is a component type that is built in; rename it
    "#);
    assert!(loaded.repository.addons.contains_key(&web()) && !loaded.repository.may_prune);
}

#[test]
fn other_kinds_are_refused_with_what_to_do_instead() {
    let kinds = [
        "WorkflowStepDefinition",
        "WorkloadDefinition",
        "PolicyDefinition",
        "Cluster",
        "AppRollout",
        "Policy",
        "TraitDefinitoin",
        "Unknown",
    ];
    let mut tree = with_definitions(&[WEB]);
    for kind in kinds {
        let object =
            format!("apiVersion: core.oam.dev/v1beta1\nkind: {kind}\nmetadata: {{name: x, namespace: shop}}\n");
        add(&mut tree, &format!("{kind}.yaml"), &object);
    }
    insta::assert_snapshot!("other_kinds", complaints(&tree));
}

#[test]
fn a_definition_without_a_spec_is_refused_at_its_own_place() {
    for spec in ["null", "{}"] {
        let mut tree = with_definitions(&[WEB]);
        let (head, _) = SERVER.split_once("spec:\n").unwrap();
        tree.files.insert("server.yaml".to_owned(), format!("{head}spec: {spec}\n").into_bytes());
        let found = complaints(&tree);
        assert!(found.contains("server.yaml:") && found.contains("is missing; add it"), "{spec}: {found}");
    }
}

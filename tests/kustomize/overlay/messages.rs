//! Messages and their locations.

use super::{config_map, errors, rendered, warnings};

/// Renders a kustomization next to the ConfigMap `a.yaml` and the directory `base`, and returns the errors.
fn told(kustomization: &str) -> String {
    let map = config_map("web");
    errors(&rendered(&[
        ("kustomization.yaml", kustomization),
        ("a.yaml", &map),
        ("base/kustomization.yaml", "resources: [b.yaml]\n"),
        ("base/b.yaml", &config_map("other")),
    ]))
}

#[test]
fn unsupported_input_is_refused_with_a_remedy() {
    let cases = [
        (
            "resources: [a.yaml]\nhelmCharts:\n- name: web\n",
            "kustomization.yaml:3:3: helmCharts is not supported: rendering runs no other programs; render the chart with `helm \
             template`, and list the result in resources",
        ),
        (
            "vars: [{name: A}]\n",
            "kustomization.yaml:1:7: vars is not supported: kustomize has deprecated them; write replacements",
        ),
        (
            "openapi: {path: x.json}\n",
            "kustomization.yaml:1:10: openapi is not supported: merge keys are those of the built-in kinds; patch lists of other kinds \
             with JSON patches",
        ),
        (
            "crds: [x.json]\n",
            "kustomization.yaml:1:7: crds is not supported: they only tell kustomize which fields hold names; list these fields as \
             nameReference in a file of configurations",
        ),
        (
            "transformers: [x.yaml]\n",
            "kustomization.yaml:1:15: transformers is not supported: plugins are not run; use the fields of the kustomization, such as \
             patches and replacements",
        ),
        (
            "resources:\n- https://github.com/org/repo//base?ref=v1\n",
            "kustomization.yaml:2:3: https://github.com/org/repo//base?ref=v1 is a remote resource, which is not supported: all \
             input must come from this commit; copy it into the repository",
        ),
        (
            "resources: [a.yaml]\npatches: [{path: \"https://example.com/p.yaml\"}]\n",
            "kustomization.yaml:2:18: https://example.com/p.yaml is a remote file, which is not supported: all input must come \
             from this commit; add the file to the repository",
        ),
        (
            "resources: [/etc/passwd]\n",
            "kustomization.yaml:1:13: /etc/passwd is an absolute path; write it relative to the root of the repository",
        ),
        (
            "resources: [../outside]\n",
            "kustomization.yaml:1:13: ../outside leaves the repository; copy what is needed into it",
        ),
    ];
    for (kustomization, expected) in cases {
        assert_eq!(told(kustomization), expected, "{kustomization}");
    }
}

#[test]
fn errors_point_to_the_field() {
    let cases = [
        (
            "resource: [a.yaml]\n",
            "kustomization.yaml:1:1: \"resource\" is not a field of a kustomization; did you mean \"resources\"?",
        ),
        ("spec: {}\n", "kustomization.yaml:1:1: \"spec\" is not a field of a kustomization; remove it"),
        (
            "images:\n- {name: web, newtags: \"1\"}\n",
            "kustomization.yaml:2:15: \"newtags\" is not a field of an entry of images; did you mean \"newTag\"?",
        ),
        (
            "images:\n- {name: web, newTag: 1.20}\n",
            "kustomization.yaml:2:23: newTag is the number 1.20, but must be a string; put it in quotes",
        ),
        (
            "labels:\n- pairs: {team: yes}\n",
            "kustomization.yaml:2:17: pairs.team is the boolean yes, but must be a string; put it in quotes",
        ),
        ("resources: a.yaml\n", "kustomization.yaml:1:12: resources is the string \"a.yaml\", but must be a list"),
        (
            "replicas: [{name: web, count: many}]\n",
            "kustomization.yaml:1:31: count is the string \"many\", but must be a whole number",
        ),
        (
            "# nothing\n",
            "kustomization.yaml:1:1: the kustomization is empty; list its resources, or write `resources: []`",
        ),
        (
            "kind: Kustomize\nresources: []\n",
            "kustomization.yaml:1:7: unknown kind \"Kustomize\"; write Kustomization or Component",
        ),
        (
            "a: 1\nb: 2\nresources: []\n",
            "kustomization.yaml:1:1: \"a\" is not a field of a kustomization; remove it\nkustomization.yaml:2:1: \"b\" is not a \
             field of a kustomization; remove it",
        ),
        (
            "sortOptions: {order: random}\n",
            "kustomization.yaml:1:22: unknown order; write `order: legacy` or `order: fifo`",
        ),
    ];
    for (kustomization, expected) in cases {
        assert_eq!(told(kustomization), expected, "{kustomization}");
    }
}

#[test]
fn wrong_files_are_reported_with_a_remedy() {
    let cases = [
        ("resources: [b.yaml]\n", "kustomization.yaml:1:13: there is no b.yaml; did you mean \"a.yaml\"?"),
        ("resources: [basee]\n", "kustomization.yaml:1:13: there is no basee; did you mean \"base\"?"),
        (
            "resources: [\"*.yaml\"]\n",
            "kustomization.yaml:1:13: there is no *.yaml: glob patterns are not supported; list each file",
        ),
        (
            "resources: [base/kustomization.yaml]\n",
            "kustomization.yaml:1:13: base/kustomization.yaml is a kustomization; name its directory",
        ),
        (
            "components: [a.yaml]\n",
            "kustomization.yaml:1:14: a.yaml is a file; components are directories with a kustomization",
        ),
        ("components: [base]\n", "kustomization.yaml:1:14: base is not a component; list it in resources"),
        (
            "resources: [.]\n",
            "kustomization.yaml:1:13: the root of the repository is already being built and cannot be part of itself; move what \
             both need into a directory of its own",
        ),
        (
            "resources: [a.yaml, ./a.yaml]\n",
            "a.yaml:1:1: ConfigMap web (v1) is used twice; list its file or directory once, or let each use change the namespace or \
             the name",
        ),
        (
            "resources: [a.yaml]\nreplicas: [{name: web, count: 2}]\n",
            "kustomization.yaml:2:19: there is no Deployment, StatefulSet, ReplicaSet or ReplicationController \"web\"; remove the \
             entry, or add the kind to the `replicas` of a configuration",
        ),
    ];
    for (kustomization, expected) in cases {
        assert_eq!(told(kustomization), expected, "{kustomization}");
    }
}

#[test]
fn errors_of_generators_have_a_remedy() {
    let cases = [
        (
            "configMapGenerator: [{literals: [a=b]}]\n",
            "kustomization.yaml:1:22: an entry of configMapGenerator needs a name",
        ),
        (
            "configMapGenerator: [{name: x, literals: [a]}]\n",
            "kustomization.yaml:1:43: the literal \"a\" has no key; write key=value",
        ),
        (
            "configMapGenerator: [{name: x, literals: [a=1, a=2]}]\n",
            "kustomization.yaml:1:48: ConfigMap x gets the key \"a\" twice; remove one of them",
        ),
        (
            "configMapGenerator: [{name: x, files: [base]}]\n",
            "kustomization.yaml:1:40: base is a directory; name a file in it",
        ),
        (
            "configMapGenerator: [{name: x, behavior: merge, literals: [a=1]}]\n",
            "kustomization.yaml:1:22: there is no ConfigMap x (v1) to merge with or replace; remove `behavior`, or fix the name \
             and namespace",
        ),
        (
            "resources: [a.yaml]\nconfigMapGenerator: [{name: web, literals: [a=1]}]\n",
            "kustomization.yaml:2:22: ConfigMap web (v1) already exists; write `behavior: merge` or `behavior: replace`, or use \
             another name",
        ),
    ];
    for (kustomization, expected) in cases {
        assert_eq!(told(kustomization), expected, "{kustomization}");
    }
}

#[test]
fn malformed_objects_are_reported() {
    let told =
        |resource: &str| errors(&rendered(&[("kustomization.yaml", "resources: [x.yaml]\n"), ("x.yaml", resource)]));
    let cases = [
        (
            "just text\n",
            "x.yaml:1:1: this is the string \"just text\", but each document of a resource file must be an object with apiVersion, \
             kind and metadata",
        ),
        (
            "apiVersion: v1\nmetadata: {name: web}\n",
            "x.yaml:1:1: the object has no kind; write apiVersion and kind, or list the file where it belongs",
        ),
        (
            "apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: web-}\n",
            "x.yaml:1:1: the Job has no name; generateName is not enough, because patches and references need a name; write \
             metadata.name",
        ),
        (
            "kind: List\nitems: []\n---\nkind: RoleList\nitems: {a: b}\n",
            "x.yaml:5:8: items is a mapping, but must be a list of objects",
        ),
        (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {\"1\": x}}\n",
            "x.yaml:3:35: kustomize reads the key \"1\" as a number, and then fails; use another key",
        ),
    ];
    for (resource, expected) in cases {
        assert_eq!(told(resource), expected, "{resource}");
    }
}

#[test]
fn accepted_but_discouraged_input_is_a_warning() {
    let map = config_map("web");
    let kustomization =
        "Resources: [a.yaml]\ncommonLabels: {a: b}\nbuildMetadata: [colours]\nhelmGlobals: {chartHome: x}\n";
    let rendered = rendered(&[("kustomization.yaml", kustomization), ("a.yaml", &map)]);
    assert_eq!(errors(&rendered), "");
    let expected = [
        "kustomization.yaml:1:1: write \"resources\" instead of \"Resources\", which not every tool accepts",
        "kustomization.yaml:2:15: commonLabels is deprecated; write labels",
        "kustomization.yaml:3:17: \"colours\" is not an option of buildMetadata; use originAnnotations, transformerAnnotations or \
         managedByLabel",
        "kustomization.yaml:4:14: helmGlobals has no effect, since helmCharts is not supported; remove it",
    ];
    assert_eq!(warnings(&rendered), expected.join("\n"));
    assert_eq!(rendered.objects.len(), 1);
}

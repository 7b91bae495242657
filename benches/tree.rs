//! Measures rendering a repository of the size and shape of Kubeflow's manifests: 40 applications with 200 kustomizations and 1,000
//! files of 30 MB, most of which are schemas in CustomResourceDefinitions. Bases have vars, `varReference` and generators; overlays
//! have patches, replacements and a transformer from a file; a component is added to every fourth application.
//!
//! Run `cargo bench --bench tree`. The time of `every_kustomization` is that of rendering and writing each of the 200 kustomizations
//! once, and `largest` that of an application with 3.5 MB of CustomResourceDefinitions. The column `max alloc` has the peak of the
//! memory that is in use at once, without the files themselves.

#![expect(clippy::unwrap_used, reason = "a benchmark that panics must be fixed")]

use std::fmt::Write as _;

use divan::{AllocProfiler, Bencher, black_box};

use tidegate_kustomize::overlay;
use tidegate_model::tree::Tree;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

/// Number of applications. Each has a base, its CRDs and three overlays.
const APPLICATIONS: usize = 40;
/// Number of objects in files of their own, in each base.
const OBJECTS: usize = 18;
/// Size of a CustomResourceDefinition, in bytes.
const DEFINITION: usize = 100 << 10;

fn main() {
    divan::main();
}

/// Returns the number of CustomResourceDefinitions of an application: few have many.
fn definitions(application: usize) -> usize {
    if application % 8 == 0 { 35 } else { 3 }
}

fn definition(application: usize, i: usize) -> String {
    let group = format!("app-{application}.example.com");
    let mut text = format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: kind{i}s.{group}
spec:
  group: {group}
  names: {{kind: Kind{i}, plural: kind{i}s}}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
"
    );
    let mut field = 0;
    while text.len() < DEFINITION {
        write!(
            text,
            "          field{field}:
            description: |-
              Describes field {field} of the kind, in a text that has more than one line, such as the comments of
              a type: what it is, when it is set, and which values are allowed.
            type: object
            properties:
              name: {{type: string, description: The name of the object.}}
              count: {{type: integer, format: int32, minimum: 0}}
              selector:
                type: object
                additionalProperties: {{type: string}}
                x-kubernetes-map-type: atomic
            required: [name, count]
"
        )
        .unwrap();
        field += 1;
    }
    text
}

fn object(application: usize, i: usize) -> String {
    match i % 3 {
        0 => format!(
            "apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-{i}
spec:
  selector: {{matchLabels: {{app: web-{i}}}}}
  template:
    metadata:
      labels: {{app: web-{i}}}
      annotations: {{issuer: \"https://$(HOST)/{application}\"}}
    spec:
      serviceAccountName: runner
      containers:
      - name: main
        image: quay.io/acme/web:1.0
        args: [--host=$(HOST), --namespace=$(NAMESPACE), --number={i}]
        envFrom: [{{configMapRef: {{name: settings}}}}]
"
        ),
        1 => format!(
            "apiVersion: v1
kind: Service
metadata:
  name: web-{}
spec:
  selector: {{app: web-{}}}
  ports: [{{port: 80, targetPort: 8080}}]
",
            i - 1,
            i - 1
        ),
        _ => format!(
            "apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {{name: binding-{i}}}
roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}}
subjects: [{{kind: ServiceAccount, name: runner}}]
"
        ),
    }
}

const VARS: &str = "vars:
- name: HOST
  objref: {apiVersion: v1, kind: Service, name: web-0}
- name: NAMESPACE
  objref: {apiVersion: v1, kind: Service, name: web-0}
  fieldref: {fieldPath: metadata.namespace}
configurations: [params.yaml]
";

const PREFIX: &str = "apiVersion: builtin
kind: PrefixTransformer
metadata: {name: prefix}
prefix: own-
fieldSpecs: [{path: metadata/name, kind: Service}]
";

/// Creates the repository, and returns it with the directories of its kustomizations.
fn tree() -> (Tree, Vec<String>) {
    let (mut tree, mut directories) = (Tree::default(), Vec::new());
    let mut put = |path: String, text: String| {
        if let Some(directory) = path.strip_suffix("/kustomization.yaml") {
            directories.push(directory.to_owned());
        }
        tree.files.insert(path, text.into_bytes());
    };
    let component =
        "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncommonAnnotations: {mesh: enabled}\n";
    put("components/mesh/kustomization.yaml".to_owned(), component.to_owned());
    for application in 0..APPLICATIONS {
        let root = format!("apps/{application}");
        let mut crds = "resources:\n".to_owned();
        for i in 0..definitions(application) {
            put(format!("{root}/crds/{i}.yaml"), definition(application, i));
            writeln!(crds, "- {i}.yaml").unwrap();
        }
        put(format!("{root}/crds/kustomization.yaml"), crds);
        let mut base = format!(
            "namespace: app-{application}\ncommonLabels: {{part-of: app-{application}}}\n\
             configMapGenerator: [{{name: settings, literals: [level=info]}}]\n{VARS}resources:\n- ../crds\n"
        );
        for i in 0..OBJECTS {
            put(format!("{root}/base/{i}.yaml"), object(application, i));
            writeln!(base, "- {i}.yaml").unwrap();
        }
        put(
            format!("{root}/base/params.yaml"),
            "varReference:\n- {path: spec/template/metadata/annotations, kind: Deployment}\n".to_owned(),
        );
        put(format!("{root}/base/kustomization.yaml"), base);
        for overlay in ["development", "staging", "production"] {
            let mut text = format!(
                "resources: [../../base]\nnameSuffix: -{overlay}\ntransformers: [prefix.yaml]\n\
                 images: [{{name: quay.io/acme/web, newTag: \"2.0\"}}]\npatches:\n\
                 - target: {{kind: Deployment}}\n  patch: '[{{\"op\": \"add\", \"path\": \"/spec/replicas\", \"value\": 3}}]'\n\
                 replacements:\n- source: {{kind: ConfigMap, name: settings, fieldPath: data.level}}\n  \
                 targets: [{{select: {{kind: Deployment}}, fieldPaths: [metadata.annotations.level], options: {{create: true}}}}]\n"
            );
            if application % 4 == 0 {
                text.push_str("components: [../../../../components/mesh]\n");
            }
            put(format!("{root}/overlays/{overlay}/prefix.yaml"), PREFIX.to_owned());
            put(format!("{root}/overlays/{overlay}/kustomization.yaml"), text);
        }
    }
    directories.retain(|directory| !directory.starts_with("components"));
    (tree, directories)
}

fn render(tree: &Tree, directory: &str) -> usize {
    let rendered = overlay::render(tree, directory);
    assert!(!rendered.is_failed(), "{directory}: {:?}", rendered.complaints.first());
    black_box(rendered.to_yaml().unwrap()).len()
}

/// Renders every kustomization of the repository, and writes the results.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn every_kustomization(bencher: Bencher<'_, '_>) {
    let (tree, directories) = tree();
    let bytes: usize = tree.files.values().map(Vec::len).sum();
    assert!(
        directories.len() == 5 * APPLICATIONS && bytes > 25 << 20,
        "{} kustomizations, {bytes} bytes",
        directories.len()
    );
    bencher.bench_local(|| directories.iter().map(|directory| render(&tree, directory)).sum::<usize>());
}

/// Renders the application with the most CustomResourceDefinitions, and writes it.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn largest(bencher: Bencher<'_, '_>) {
    let (tree, _) = tree();
    bencher.bench_local(|| {
        let written = render(&tree, "apps/0/overlays/production");
        assert!(written > 3 << 20, "{written} bytes");
        written
    });
}

//! Measures rendering an overlay: Deployments, Services and ConfigMaps in the files of a base, and a patch for every fifth of them.
//!
//! Run `cargo bench --bench overlay` on one core. The argument of a row is the number of objects. Its time grows with that
//! number, but the time per object must not: 1,000 objects with 200 patches take less than 0.2 s, and 5,000 with 1,000 patches
//! less than 1 s.

#![expect(clippy::unwrap_used, reason = "a benchmark that panics must be fixed")]

use std::fmt::Write as _;

use divan::{Bencher, black_box};

use tidegate_kustomize::overlay::{self, Options};
use tidegate_model::tree::Tree;

const OBJECTS: [usize; 5] = [10, 100, 1_000, 5_000, 10_000];

fn main() {
    divan::main();
}

fn deployment(i: usize) -> String {
    format!(
        "apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-{i}
  labels: {{app: web-{i}}}
spec:
  replicas: 2
  selector:
    matchLabels: {{app: web-{i}}}
  template:
    metadata:
      labels: {{app: web-{i}}}
    spec:
      containers:
      - name: main
        image: quay.io/acme/web:1.0
        ports: [{{containerPort: 8080}}]
        envFrom:
        - configMapRef: {{name: settings-{i}}}
      - name: sidecar
        image: quay.io/acme/sidecar:1.0
"
    )
}

fn service(i: usize) -> String {
    format!(
        "apiVersion: v1
kind: Service
metadata:
  name: web-{i}
spec:
  selector: {{app: web-{i}}}
  ports:
  - port: 80
    targetPort: 8080
"
    )
}

fn settings(i: usize) -> String {
    format!(
        "apiVersion: v1
kind: ConfigMap
metadata:
  name: settings-{i}
data:
  level: info
  number: \"{i}\"
"
    )
}

/// Creates a base with twenty objects in each file, and an overlay with a patch for every fifth object.
fn tree(objects: usize) -> Tree {
    let mut tree = Tree::default();
    let mut put = |path: String, text: String| drop(tree.files.insert(path, text.into_bytes()));
    let mut base = "resources:\n".to_owned();
    for file in 0..objects.div_ceil(20) {
        let kinds = [deployment, service, settings];
        let text = |i: usize| kinds.get(i % 3).map(|make| make(i / 3)).unwrap_or_default();
        let texts: Vec<_> = (file * 20..objects.min(file * 20 + 20)).map(text).collect();
        put(format!("base/{file}.yaml"), texts.join("---\n"));
        writeln!(base, "- {file}.yaml").unwrap();
    }
    put("base/kustomization.yaml".to_owned(), base);
    let mut top = "resources: [../base]\nnamePrefix: prod-\nnamespace: prod\n\
                   labels: [{pairs: {tier: prod}, includeTemplates: true}]\n\
                   images: [{name: quay.io/acme/web, newTag: \"2.0\"}]\npatches:\n"
        .to_owned();
    for i in (0..objects).step_by(5) {
        let (name, version, kind, rest) = match i % 3 {
            0 => (
                "web",
                "apps/v1",
                "Deployment",
                "spec: {template: {spec: {containers: [{name: main, imagePullPolicy: Always}]}}}",
            ),
            1 => ("web", "v1", "Service", "spec: {type: NodePort}"),
            _ => ("settings", "v1", "ConfigMap", "data: {level: debug}"),
        };
        let patch = format!("{{apiVersion: {version}, kind: {kind}, metadata: {{name: {name}-{}}}, {rest}}}", i / 3);
        writeln!(top, "- patch: '{patch}'").unwrap();
    }
    put("prod/kustomization.yaml".to_owned(), top);
    tree
}

/// The whole rendering: reading files, applying patches, following name references.
#[divan::bench(args = OBJECTS, sample_count = 5, sample_size = 1)]
fn rendered(bencher: Bencher<'_, '_>, objects: usize) {
    let tree = tree(objects);
    bencher.bench_local(|| {
        let rendered = overlay::render_with(&tree, "prod", &Options { ocm_references: true, ..Options::default() });
        assert_eq!(rendered.objects.len(), objects, "{:?}", rendered.complaints.first());
        black_box(rendered)
    });
}

/// Writing the rendered objects as YAML.
#[divan::bench(args = OBJECTS, sample_count = 5, sample_size = 1)]
fn written(bencher: Bencher<'_, '_>, objects: usize) {
    let rendered = overlay::render(&tree(objects), "prod");
    assert!(!rendered.is_failed());
    bencher.bench_local(|| black_box(rendered.to_yaml().unwrap()));
}

//! Definitions of components and traits: what they render, what is refused, and which applications depend on them.

mod clusters;
mod limits;
mod mistakes;
mod properties;
mod rendered;
mod revisions;
mod scope;

use tidegate_model::tree::Tree;
use tidegate_repository::load;

use super::tree;
use super::types::application;
use crate::fixture::shown;

/// A type of components with a parameter of each type.
const SERVER: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: ComponentDefinition
metadata: {name: server, namespace: shop}
spec:
  workload: {definition: {apiVersion: apps/v1, kind: Deployment}}
  schematic:
    tidegate:
      parameters:
        type: object
        required: [image]
        properties:
          image: {type: string, minLength: 1}
          replicas: {type: integer, minimum: 1, default: 2}
          debug: {type: boolean}
          hosts: {type: array, items: {type: string}, maxItems: 10}
          labels: {type: object, additionalProperties: {type: string}}
        x-kubernetes-validations:
          - {rule: 'self.replicas < 10', message: at most nine, fieldPath: .replicas}
      objects:
        - name: workload
          template:
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: '${context.name}', labels: '${parameters.?labels}'}
            spec:
              replicas: '${parameters.replicas}'
              selector: {matchLabels: {app: '${context.name}'}}
              template:
                metadata: {labels: {app: '${context.name}'}}
                spec:
                  containers:
                    - name: main
                      image: '${parameters.image}'
                      args: ['--name=${context.appName}/${context.name}', '--costs=$${5}']
        - name: hosts
          forEach: [{host: '${parameters.?hosts.orValue([])}'}]
          includeWhen: ['${host != \"localhost\"}']
          template:
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: '${context.name}-${host}'}
            data: {host: '${host}', debug: 'is ${has(parameters.debug) && parameters.debug}'}
";

/// A type of traits that changes the workload, and adds an object.
const GUARD: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: TraitDefinition
metadata: {name: guard, namespace: vela-system}
spec:
  appliesToWorkloads: [deployments.apps, daemon]
  conflictsWith: [sidecar]
  schematic:
    tidegate:
      parameters:
        type: object
        properties:
          level: {type: string, enum: [low, high], default: low}
          minAvailable: {type: integer, minimum: 1, default: 1}
      objects:
        - name: budget
          template:
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {name: '${context.name}'}
            spec:
              minAvailable: '${parameters.minAvailable}'
              selector: {matchLabels: '${output.spec.selector.matchLabels}'}
      patch:
        spec:
          template:
            spec:
              containers:
                - name: '${output.spec.template.spec.containers[0].name}'
                  env: [{name: GUARD, value: '${parameters.level}'}]
      jsonPatch:
        - {op: add, path: /metadata/annotations, value: {guard: '${parameters.level}'}}
";

/// Returns a repository with these components, and the definitions `server` and `guard`.
pub(super) fn with_definitions(components: &[&str]) -> Tree {
    let mut tree = tree(&application(components));
    add(&mut tree, "server.yaml", SERVER);
    add(&mut tree, "guard.yaml", GUARD);
    tree
}

fn add(tree: &mut Tree, file: &str, text: &str) {
    tree.files.insert(file.to_owned(), text.as_bytes().to_vec());
}

/// Returns the complaints about a repository.
fn complaints(tree: &Tree) -> String {
    shown(&load(tree, "")).join("\n")
}

/// Returns one of the definitions that the documentation shows.
fn example(name: &str) -> String {
    std::fs::read_to_string(crate::root::path(&format!("docs/definitions/{name}.yaml"))).unwrap()
}

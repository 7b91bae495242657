//! Applications: what is read, what is refused and where, and what clusters get.

mod app_deployments;
mod autoscalers;
mod candidates;
mod definitions;
mod depends;
mod dispatch;
mod documented;
mod generated;
mod helm;
mod images;
mod kustomize;
mod mistakes;
mod ownership;
mod permissions;
mod properties;
mod replication;
mod required;
mod rollout;
mod trait_mistakes;
mod traits;
mod types;
mod units;
mod values;
mod waits;

use serde_json::Value;
use tidegate_model::name::UnitName;
use tidegate_model::tree::Tree;
use tidegate_repository::{Unit, load};

use super::fixture::{edit, shown, with};

const SETTINGS: &str = "[applications]\nenabled = true\n";

const WEB: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata:
  name: web
  namespace: shop
spec:
  components:
    - name: server
      type: webservice
      properties:
        image: example.com/web:1.4.0
        ports:
          - port: 8080
            expose: true
        cpu: 250m
        env:
          - name: MODE
            value: fast
      traits:
        - type: scaler
          properties:
            replicas: 3
        - type: env
          properties:
            env:
              MODE: safe
              REGION: eu
        - type: labels
          properties:
            team: shop
    - name: extras
      type: k8s-objects
      properties:
        objects:
          - apiVersion: v1
            kind: ConfigMap
            metadata:
              name: texts
            data:
              greeting: Hello {{name}}
  policies:
    - name: everywhere
      type: placement
      properties:
        namespace: fleet
        name: everywhere
        rolloutStrategy:
          type: Progressive
          progressive:
            maxConcurrency: 1
            mandatoryDecisionGroups:
              - groupName: canary
";

fn tree(web: &str) -> Tree {
    let mut tree = with("web.yaml", web);
    tree.files.insert("tidegate.toml".to_owned(), SETTINGS.as_bytes().to_vec());
    tree
}

fn edited_tree(from: &str, to: &str) -> Tree {
    let mut tree = tree(WEB);
    edit(&mut tree, "web.yaml", from, to);
    tree
}

fn web() -> UnitName {
    "application/shop/web".parse().unwrap()
}

fn unit(tree: &Tree) -> Unit {
    let loaded = load(tree, "");
    assert_eq!(shown(&loaded), [""; 0]);
    loaded.repository.addons[&web()].clone()
}

/// Returns the objects that clusters get.
fn objects(unit: &Unit) -> Vec<Value> {
    let content = unit.configurations.values().next().unwrap();
    content.object["spec"]["agentSpec"]["workload"]["manifests"].as_array().unwrap().clone()
}

/// Returns the complaints about an application whose second component is given.
fn about(component: &str) -> String {
    let (head, rest) = WEB.split_once("    - name: extras").unwrap();
    let (_, policies) = rest.split_once("  policies:").unwrap();
    shown(&load(&tree(&format!("{head}{component}  policies:{policies}")), "")).join("\n")
}

//! `tidegate app` in a directory of declarations.

mod list;
mod orphans;
mod permissions;
mod revisions;
mod show;

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::scratch::tempdir;

/// An application with a policy of two clusters, and one of all others with more replicas.
const WEB: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata:
  name: web
  namespace: shop
  annotations: {app.oam.dev/publishVersion: 1.4.0}
spec:
  components:
    - name: server
      type: webservice
      properties: {image: 'example.com/web:1.4.0', ports: [{port: 8080, expose: true}]}
      traits: [{type: scaler, properties: {replicas: 3}}]
    - name: extras
      type: k8s-objects
      properties:
        objects: [{apiVersion: v1, kind: ConfigMap, metadata: {name: texts}, data: {greeting: hello}}]
  policies:
    - {name: first, type: topology, properties: {clusters: [prod-1, prod-2]}}
    - {name: everywhere, type: placement, properties: {name: everywhere}}
    - name: large
      type: override
      properties:
        components: [{name: server, traits: [{type: scaler, properties: {replicas: 5}}]}]
  workflow:
    steps:
      - {name: try, type: deploy, properties: {policies: [first]}}
      - {name: all, type: deploy, properties: {policies: [large, everywhere]}}
";

const FLEET: &str = "\
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {name: everywhere, namespace: shop}
spec: {}
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: global, namespace: shop}
spec: {clusterSet: global}
---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: prod-1}
spec: {hubAcceptsClient: true}
---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: prod-3}
spec: {hubAcceptsClient: true}
";

/// A directory with declarations.
struct Directory(TempDir);

impl Directory {
    fn new() -> Self {
        let directory = Self(tempdir());
        directory.write("tidegate.toml", "[applications]\nenabled = true\n");
        directory.write("fleet.yaml", FLEET);
        directory.write("web.yaml", WEB);
        directory
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    /// Runs a command about applications, and returns what the user sees.
    fn app(&self, arguments: &[&str]) -> String {
        let root = self.path().to_str().unwrap();
        let all = [&["app"], arguments, &["--path", root]].concat();
        super::session(&[&all[..]])
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let all = [&["app"], arguments, &["-o", "json", "--path", self.path().to_str().unwrap()]].concat();
        serde_json::from_slice(&super::tidegate(&all).stdout).unwrap()
    }
}

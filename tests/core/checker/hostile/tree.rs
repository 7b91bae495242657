//! The files of a revision.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_model::tree::Tree;

use super::content::{Content, Control, Fault, Marks, Naming, Place};

const GROUP: &str = "addon.open-cluster-management.io";
const CLUSTERS: &str = "cluster.open-cluster-management.io";
const UNREADABLE: &[u8] = b"a: [\n";

/// The clusters of the fleet: a canary and another one.
pub(super) const FLEET: [&str; 2] = ["c0", "c1"];

/// Returns the labels that a cluster has at the start.
pub(super) fn labels(cluster: &str) -> Value {
    json!({ "stage": "production", "tier": if cluster == "c0" { "canary" } else { "rest" } })
}

impl Content {
    /// Returns the files.
    pub(super) fn tree(&self) -> Tree {
        // JSON is YAML.
        let text = |object: &Value| object.to_string().into_bytes();
        let mut files = BTreeMap::from([("tidegate.toml".to_owned(), self.settings().into_bytes())]);
        for (n, object) in self.objects().iter().enumerate() {
            files.insert(format!("fleet/{n:02}.yaml"), text(object));
        }
        for (n, object) in self.placements().iter().enumerate() {
            files.insert(format!("fleet/placement-{n}.yaml"), text(object));
        }
        for (name, mut spec) in self.policies() {
            if self.fault == Some(Fault::Policy) {
                spec["windows"] = json!([{ "name": "w", "timeZone": "Nowhere", "from": "1:00", "to": "2:00" }]);
            }
            let policy = json!({
                "apiVersion": "tidegate.io/v1alpha1", "kind": "RolloutPolicy", "metadata": { "name": name }, "spec": spec,
            });
            files.insert(format!("fleet/policy-{name}.yaml"), text(&policy));
        }
        match self.fault {
            Some(Fault::PolicyFile) => {
                drop(files.insert("fleet/policy-production.yaml".to_owned(), UNREADABLE.to_vec()))
            }
            Some(Fault::Placement) => drop(files.insert("fleet/placement-0.yaml".to_owned(), UNREADABLE.to_vec())),
            _ => {}
        }
        let control = match self.naming {
            Naming::OnlyApplication => "control/applications/fleet/hello.yaml".to_owned(),
            _ => format!("control/{}.yaml", self.addon()),
        };
        files.extend(self.control().map(|object| (control, text(&object))));
        Tree { files, ..Tree::default() }
    }

    fn control(&self) -> Option<Value> {
        let mut control = json!({ "apiVersion": "tidegate.io/v1alpha1", "kind": "Control" });
        let quarantine = |mode: &str| json!([{ "clusters": ["c0"], "mode": mode, "reason": "disk" }]);
        match self.control {
            Control::Nothing => return None,
            Control::Pause => control["pause"] = json!({ "reason": "incident" }),
            Control::Ignore => control["quarantine"] = quarantine("Ignore"),
            Control::Exclude => control["quarantine"] = quarantine("Exclude"),
        }
        Some(control)
    }

    fn objects(&self) -> Vec<Value> {
        let mut objects = vec![
            json!({
                "apiVersion": format!("{CLUSTERS}/v1beta2"), "kind": "ManagedClusterSet", "metadata": { "name": "global" },
                "spec": { "clusterSelector": { "selectorType": "LabelSelector", "labelSelector": {} } },
            }),
            json!({
                "apiVersion": format!("{CLUSTERS}/v1beta2"), "kind": "ManagedClusterSetBinding",
                "metadata": { "name": "global", "namespace": "fleet" }, "spec": { "clusterSet": "global" },
            }),
            config("base", &self.level()),
        ];
        if !matches!(self.naming, Naming::Gone | Naming::OnlyApplication) {
            objects.extend([self.template(self.addon()), self.declared(self.addon(), self.addon())]);
        }
        match self.naming {
            Naming::Duplicated | Naming::Split | Naming::Elsewhere | Naming::Variable => {
                objects.extend([self.template("twin"), self.declared("twin", "twin")])
            }
            Naming::Extra => objects.extend([self.template("extra"), self.declared("extra", "extra")]),
            Naming::Shared => objects.push(self.declared("twin", self.addon())),
            Naming::Application | Naming::OnlyApplication => objects.push(self.application()),
            Naming::Hello | Naming::Renamed | Naming::Gone | Naming::Moved => {}
        }
        objects.extend(self.placed.map(|placed| config("placed", &placed.level())));
        if let Some(own) = self.own.filter(|_| self.naming != Naming::OnlyApplication) {
            objects.push(config("own", if own.is_evil { "evil" } else { "good" }));
            objects.push(json!({
                "apiVersion": format!("{GROUP}/v1beta1"), "kind": "ManagedClusterAddOn",
                "metadata": { "name": self.addon(), "namespace": "c1" },
                "spec": { "configs": [reference("addondeploymentconfigs", "fleet", "own")] },
            }));
        }
        let marked = FLEET.into_iter().zip(self.marks);
        objects.extend(marked.filter_map(|(name, marks)| cluster(name, marks)));
        objects
    }

    fn declared(&self, name: &str, template: &str) -> Value {
        let template = if self.fault == Some(Fault::Template) { "nowhere" } else { template };
        let first = if matches!(self.place, Place::OtherGroups | Place::DecoyGroups) { "first" } else { "canary" };
        let strategy = if self.is_gradual {
            json!({ "type": "Progressive", "progressive": { "mandatoryDecisionGroups": [{ "groupName": first }] } })
        } else {
            json!({ "type": "All" })
        };
        let placement = |name: &str| json!({ "namespace": "fleet", "name": name, "rolloutStrategy": strategy });
        let mut placements: Vec<Value> = match self.place {
            Place::Renamed => vec![placement("everyone")],
            Place::Second | Place::Elsewhere => vec![placement("fleet"), placement("everyone")],
            _ => vec![placement("fleet")],
        };
        if self.placed.is_some() {
            placements[0]["configs"] = json!([reference("addondeploymentconfigs", "fleet", "placed")]);
        }
        let install = match self.place {
            Place::Manual => json!({ "type": "Manual" }),
            _ => json!({ "type": "Placements", "placements": placements }),
        };
        json!({
            "apiVersion": format!("{GROUP}/v1beta1"), "kind": "ClusterManagementAddOn", "metadata": { "name": name },
            "spec": {
                "defaultConfigs": [
                    reference("addontemplates", "", template), reference("addondeploymentconfigs", "fleet", "base"),
                ],
                "installStrategy": install,
            },
        })
    }

    /// Returns an application that writes what the add-on writes.
    fn application(&self) -> Value {
        let declared = self.declared("hello", "hello");
        let placements = declared["spec"]["installStrategy"]["placements"].as_array().cloned().unwrap_or_default();
        let policy = |(n, placement): (usize, &Value)| {
            let properties = json!({
                "namespace": placement["namespace"], "name": placement["name"], "rolloutStrategy": placement["rolloutStrategy"],
            });
            json!({ "name": format!("p{n}"), "type": "placement", "properties": properties })
        };
        let mut objects = self.template("hello")["spec"]["agentSpec"]["workload"]["manifests"].clone();
        let level = format!("--level={}", self.placed.unwrap_or(self.level).level());
        objects[0]["spec"]["template"]["spec"]["containers"][0]["args"] = json!([level]);
        json!({
            "apiVersion": "core.oam.dev/v1beta1", "kind": "Application",
            "metadata": { "name": "hello", "namespace": "fleet" },
            "spec": {
                "components": [{ "name": "agent", "type": "k8s-objects", "properties": { "objects": objects } }],
                "policies": placements.iter().enumerate().map(policy).collect::<Vec<_>>(),
            },
        })
    }

    fn placements(&self) -> Vec<Value> {
        let tier = |tier: &str| json!({ "matchLabels": { "tier": tier } });
        let group = |name: &str, labels: Value| json!({ "groupName": name, "groupClusterSelector": { "labelSelector": labels } });
        let nobody = || json!({ "matchLabels": { "stage": "none" } });
        let groups = match self.place {
            Place::OtherGroups => vec![group("first", tier("canary")), group("second", tier("rest"))],
            Place::DecoyGroups => vec![
                group("canary", nobody()),
                group("rest", nobody()),
                group("first", tier("canary")),
                group("second", tier("rest")),
            ],
            Place::OnlyCanary => vec![group("canary", json!({})), group("rest", nobody())],
            _ => vec![group("canary", tier("canary")), group("rest", tier("rest"))],
        };
        let none = json!([{ "requiredClusterSelector": { "labelSelector": nobody() } }]);
        match self.place {
            Place::Renamed => vec![placement("everyone", json!([]), &groups)],
            Place::Second => vec![placement("fleet", json!([]), &groups), placement("everyone", json!([]), &groups)],
            Place::Elsewhere => vec![placement("fleet", none, &groups), placement("everyone", json!([]), &groups)],
            _ => vec![placement("fleet", json!([]), &groups)],
        }
    }

    fn template(&self, addon: &str) -> Value {
        let labels = json!({ "app": "hello" });
        let is_moved = addon != "twin" && matches!(self.naming, Naming::Moved | Naming::Split);
        let namespace = if addon == "twin" && self.naming == Naming::Elsewhere { "elsewhere" } else { "hello" };
        let name = match addon {
            "extra" => "extra",
            "twin" if self.naming == Naming::Variable => "a{{NOTHING}}gent",
            _ if is_moved => "runner",
            _ => "agent",
        };
        let container = json!({ "name": "agent", "image": self.image(), "args": ["--level={{LEVEL}}"] });
        let deployment = json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": name, "namespace": namespace },
            "spec": {
                "replicas": 1, "selector": { "matchLabels": labels },
                "template": { "metadata": { "labels": labels }, "spec": { "containers": [container] } },
            },
        });
        json!({
            "apiVersion": format!("{GROUP}/v1beta1"), "kind": "AddOnTemplate", "metadata": { "name": addon },
            "spec": { "addonName": addon, "agentSpec": { "workload": { "manifests": [deployment] } } },
        })
    }
}

fn reference(resource: &str, namespace: &str, name: &str) -> Value {
    let mut reference = json!({ "group": GROUP, "resource": resource, "name": name });
    if !namespace.is_empty() {
        reference["namespace"] = json!(namespace);
    }
    reference
}

fn config(name: &str, level: &str) -> Value {
    json!({
        "apiVersion": format!("{GROUP}/v1beta1"), "kind": "AddOnDeploymentConfig",
        "metadata": { "name": name, "namespace": "fleet" },
        // With its defaults, as a hub would have it.
        "spec": {
            "agentInstallNamespace": "open-cluster-management-agent-addon",
            "customizedVariables": [{ "name": "LEVEL", "value": level }],
        },
    })
}

fn placement(name: &str, predicates: Value, groups: &[Value]) -> Value {
    json!({
        "apiVersion": format!("{CLUSTERS}/v1beta1"), "kind": "Placement", "metadata": { "name": name, "namespace": "fleet" },
        "spec": {
            "clusterSets": ["global"], "predicates": predicates,
            "decisionStrategy": { "groupStrategy": { "decisionGroups": groups } },
        },
    })
}

/// Returns the declaration of a cluster; `None` if it is not declared.
fn cluster(name: &str, marks: Marks) -> Option<Value> {
    let mut metadata = json!({ "name": name, "labels": labels(name) });
    match marks {
        Marks::Undeclared => return None,
        Marks::Honest => {}
        Marks::Labeled => metadata["labels"]["team"] = json!("blue"),
        Marks::Lab => metadata["labels"]["stage"] = json!("lab"),
        Marks::Canary => metadata["labels"]["tier"] = json!("canary"),
        Marks::Registry => {
            let registries = json!({ "registries": [{ "source": "good.example", "mirror": "evil.example" }] });
            metadata["annotations"] = json!({ key::IMAGE_REGISTRIES: registries.to_string() });
        }
    }
    Some(json!({
        "apiVersion": format!("{CLUSTERS}/v1"), "kind": "ManagedCluster", "metadata": metadata,
        "spec": { "hubAcceptsClient": true },
    }))
}

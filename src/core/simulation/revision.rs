//! Revisions of a config repository: an add-on with one or two placements, described in plain numbers.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tidegate_model::agent::LAG;
use tidegate_model::tree::Tree;

const GROUP: &str = "addon.open-cluster-management.io";
const CLUSTERS: &str = "cluster.open-cluster-management.io";

/// The type of a rollout strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// All clusters at once.
    All,
    /// A number of clusters at a time.
    Progressive,
    /// Group by group.
    PerGroup,
}

/// A number of clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// The default.
    Unset,
    /// This many.
    Count(u8),
    /// This share.
    Percent(u8),
}

impl Amount {
    fn json(self) -> Value {
        match self {
            Self::Unset => Value::Null,
            Self::Count(count) => json!(count),
            Self::Percent(percent) => json!(format!("{percent}%")),
        }
    }
}

/// The clusters that the first placement selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selects {
    /// All.
    Everybody,
    /// Those in the EU.
    Eu,
    /// Those in the US.
    Us,
    /// The add-on is not in the repository.
    Nobody,
}

/// A rollout strategy. Times are in seconds.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    /// The type.
    pub pace: Pace,
    /// Whether the group `canary` goes first.
    pub canary_first: bool,
    /// `maxConcurrency`.
    pub concurrency: Amount,
    /// `maxFailures`.
    pub failures: Amount,
    /// `progressDeadline`.
    pub deadline: Option<u16>,
    /// `minSuccessTime`.
    pub soak: u16,
}

impl Policy {
    /// Returns the strategy that starts all clusters at once, without limits.
    pub const fn all_at_once() -> Self {
        Self {
            pace: Pace::All,
            canary_first: false,
            concurrency: Amount::Unset,
            failures: Amount::Unset,
            deadline: None,
            soak: 0,
        }
    }

    /// Returns a policy whose deadline, if it has one, is one that a healthy cluster meets. Without new generations, the agent's report counts
    /// only after a while, and an application has two phases. A cluster that misses its deadline may end in a rollback.
    pub(crate) fn with_time(self) -> Self {
        let lag = u16::try_from(2 * LAG.as_secs()).unwrap_or(u16::MAX);
        Self { deadline: self.deadline.map(|seconds| seconds.saturating_add(lag)), ..self }
    }

    fn json(self) -> Value {
        let (type_, member) = match self.pace {
            Pace::All => ("All", "all"),
            Pace::Progressive => ("Progressive", "progressive"),
            Pace::PerGroup => ("ProgressivePerGroup", "progressivePerGroup"),
        };
        let mut settings = json!({
            "minSuccessTime": format!("{}s", self.soak),
            "progressDeadline": self.deadline.map_or("None".to_owned(), |seconds| format!("{seconds}s")),
            "maxFailures": self.failures.json(),
        });
        if self.canary_first && self.pace != Pace::All {
            settings["mandatoryDecisionGroups"] = json!([{ "groupName": "canary" }]);
        }
        if self.pace == Pace::Progressive {
            settings["maxConcurrency"] = self.concurrency.json();
        }
        if let Some(settings) = settings.as_object_mut() {
            settings.retain(|_, value| !value.is_null());
        }
        json!({ "type": type_, member: settings })
    }
}

/// The control file of the add-on.
pub const CONTROL: &str = "control/hello.yaml";

/// The kind of unit that a revision declares.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// An add-on.
    #[default]
    AddOn,
    /// An application. Its second placement is a step before the first one, or runs beside it. It has no configurations for single clusters.
    /// In odd versions, its second component waits for the first one.
    Application,
}

impl Form {
    /// Returns the name of the unit.
    pub fn unit(self) -> &'static str {
        match self {
            Self::AddOn => "hello",
            Self::Application => "application/fleet/hello",
        }
    }

    /// Returns the path of the control file of the unit.
    pub fn control(self) -> &'static str {
        match self {
            Self::AddOn => CONTROL,
            Self::Application => "control/applications/fleet/hello.yaml",
        }
    }
}

/// What one commit declares.
#[derive(Debug, Clone)]
pub struct Revision {
    /// The kind of unit.
    pub form: Form,
    /// The template in use.
    pub version: u8,
    /// A value inside it.
    pub text: u8,
    /// A value in the configuration of all clusters.
    pub level: u8,
    /// Values in the configurations of single clusters.
    pub own: BTreeMap<u8, u8>,
    /// The strategy of the first placement.
    pub everywhere: Policy,
    /// A second placement, of the clusters in the EU, and the value of their configuration.
    pub eu: Option<(Policy, u8)>,
    /// `clustersPerDecisionGroup`.
    pub group_size: Amount,
    /// The clusters that the first placement selects.
    pub selects: Selects,
    /// `tidegate.toml`.
    pub settings: &'static str,
    /// Whether a reference points to a missing object.
    pub is_broken: bool,
    /// Other files, such as policies and control files.
    pub files: BTreeMap<&'static str, Value>,
}

impl Revision {
    /// Returns a revision that selects all clusters, with one strategy for all.
    pub fn simple(version: u8, policy: Policy) -> Self {
        Self {
            form: Form::AddOn,
            selects: Selects::Everybody,
            version,
            text: 0,
            level: 0,
            own: BTreeMap::new(),
            everywhere: policy,
            eu: None,
            group_size: Amount::Unset,
            settings: "",
            is_broken: false,
            files: BTreeMap::new(),
        }
    }

    /// Returns the files of the commit.
    pub fn tree(&self) -> Tree {
        let applications = match self.form {
            Form::AddOn => "",
            Form::Application => "[applications]\nenabled = true\n",
        };
        let settings = format!("{applications}{}", self.settings);
        let mut files = BTreeMap::from([("tidegate.toml".to_owned(), settings.into_bytes())]);
        for (n, object) in self.objects().into_iter().enumerate() {
            // JSON is YAML.
            files.insert(format!("{n:02}.yaml"), object.to_string().into_bytes());
        }
        files.extend(self.files.iter().map(|(path, object)| ((*path).to_owned(), object.to_string().into_bytes())));
        Tree { files, ..Tree::default() }
    }

    fn objects(&self) -> Vec<Value> {
        let in_region = |region: &str| json!([{ "requiredClusterSelector": { "labelSelector": { "matchLabels": { "region": region } } } }]);
        let predicates = match self.selects {
            Selects::Everybody | Selects::Nobody => json!([]),
            Selects::Eu => in_region("eu"),
            Selects::Us => in_region("us"),
        };
        let mut objects = vec![
            placement("everywhere", predicates, self.group_size),
            json!({
                "apiVersion": format!("{CLUSTERS}/v1beta2"), "kind": "ManagedClusterSet", "metadata": { "name": "global" },
                "spec": { "clusterSelector": { "selectorType": "LabelSelector", "labelSelector": {} } },
            }),
            json!({
                "apiVersion": format!("{CLUSTERS}/v1beta2"), "kind": "ManagedClusterSetBinding",
                "metadata": { "name": "global", "namespace": "fleet" }, "spec": { "clusterSet": "global" },
            }),
        ];
        if self.eu.is_some() && self.selects != Selects::Nobody {
            objects.push(placement("eu", in_region("eu"), self.group_size));
        }
        match self.form {
            Form::AddOn => self.add_addon(&mut objects),
            Form::Application if self.selects == Selects::Nobody => {}
            Form::Application => objects.push(self.application()),
        }
        objects
    }

    fn application(&self) -> Value {
        let policy = |name: &str, policy: Policy| {
            json!({
                "name": name, "type": "placement",
                "properties": { "name": name, "rolloutStrategy": policy.json(), "allowEmpty": true },
            })
        };
        let mut policies = vec![policy(if self.is_broken { "nowhere" } else { "everywhere" }, self.everywhere)];
        let mut workflow = json!({ "steps": [] });
        if let Some((of_eu, level)) = self.eu {
            let env = json!([{ "name": "LEVEL", "value": level.to_string() }]);
            let change = json!({ "name": "agent", "properties": { "env": env } });
            policies.push(policy("eu", of_eu));
            policies.push(json!({ "name": "level", "type": "override", "properties": { "components": [change] } }));
            let first = if self.is_broken { "nowhere" } else { "everywhere" };
            let step =
                |name: &str, of: Value| json!({ "name": name, "type": "deploy", "properties": { "policies": of } });
            let (all, eu) = (step("all", json!([first])), step("eu", json!(["level", "eu"])));
            workflow = match level % 2 {
                0 => json!({ "steps": [eu, all] }),
                _ => json!({ "steps": [{ "name": "both", "type": "step-group", "subSteps": [all, eu] }] }),
            };
        }
        let image = format!("example.com/hello:{}", self.version);
        let env = json!([{ "name": "LEVEL", "value": self.level.to_string() }]);
        // Some versions have an order.
        let first = if self.version % 2 == 1 { json!(["agent"]) } else { json!([]) };
        let text = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "text" },
            "data": { "text": self.text.to_string() },
        });
        let mut components = vec![
            json!({
                "name": "agent", "type": "worker", "properties": { "image": image, "env": env },
                "traits": [{ "type": "scaler", "properties": { "replicas": 1 } }],
            }),
            json!({
                "name": "text", "type": "k8s-objects", "properties": { "objects": [text] }, "dependsOn": first,
            }),
        ];
        // Later versions have a component whose replicas are replaced in batches.
        if self.version > 1 {
            let batches = json!({ "targetSize": 3, "rolloutBatches": [{ "replicas": 1 }, { "replicas": 2 }] });
            components.push(json!({
                "name": "store", "type": "statefulset", "properties": { "image": image },
                "traits": [{ "type": "rollout", "properties": batches }],
            }));
        }
        json!({
            "apiVersion": "core.oam.dev/v1beta1", "kind": "Application",
            "metadata": {
                "name": "hello", "namespace": "fleet",
                "annotations": { "app.oam.dev/publishVersion": self.version.to_string() },
            },
            "spec": {
                "components": components,
                "policies": policies,
                "workflow": workflow,
            },
        })
    }

    fn add_addon(&self, objects: &mut Vec<Value>) {
        objects.push(config("base", self.level));
        objects.extend((1..=3).map(|version| self.template(version)));
        if self.selects == Selects::Nobody {
            return;
        }
        objects.push(self.addon());
        if let Some((_, level)) = self.eu {
            objects.push(config("eu", level));
        }
        for (cluster, level) in &self.own {
            let name = format!("own-{cluster}");
            objects.push(config(&name, *level));
            objects.push(json!({
                "apiVersion": format!("{GROUP}/v1beta1"), "kind": "ManagedClusterAddOn",
                "metadata": { "name": "hello", "namespace": format!("c{cluster}") },
                "spec": { "configs": [reference("addondeploymentconfigs", "fleet", &name)] },
            }));
        }
    }

    fn addon(&self) -> Value {
        let template = if self.is_broken { "nowhere".to_owned() } else { format!("hello-{}", self.version) };
        let placement = |name: &str, policy: Policy, configs: Value| json!({ "namespace": "fleet", "name": name, "rolloutStrategy": policy.json(), "configs": configs });
        let mut placements = vec![placement("everywhere", self.everywhere, json!([]))];
        let in_eu = json!([reference("addondeploymentconfigs", "fleet", "eu")]);
        placements.extend(self.eu.map(|(policy, _)| placement("eu", policy, in_eu)));
        json!({
            "apiVersion": format!("{GROUP}/v1beta1"), "kind": "ClusterManagementAddOn", "metadata": { "name": "hello" },
            "spec": {
                "defaultConfigs": [
                    reference("addontemplates", "", &template), reference("addondeploymentconfigs", "fleet", "base"),
                ],
                "installStrategy": { "type": "Placements", "placements": placements },
            },
        })
    }

    fn template(&self, version: u8) -> Value {
        let labels = json!({ "app": "hello" });
        let image = format!("example.com/hello:{version}");
        let deployment = json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "agent", "namespace": "hello" },
            "spec": {
                "replicas": 1, "selector": { "matchLabels": labels },
                "template": {
                    "metadata": { "labels": labels },
                    "spec": { "containers": [{ "name": "agent", "image": image, "args": ["--level={{LEVEL}}"] }] },
                },
            },
        });
        let text = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "text", "namespace": "hello" },
            "data": { "text": self.text.to_string() },
        });
        json!({
            "apiVersion": format!("{GROUP}/v1beta1"), "kind": "AddOnTemplate",
            "metadata": { "name": format!("hello-{version}") },
            "spec": { "addonName": "hello", "agentSpec": { "workload": { "manifests": [deployment, text] } } },
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

fn config(name: &str, level: u8) -> Value {
    json!({
        "apiVersion": format!("{GROUP}/v1beta1"), "kind": "AddOnDeploymentConfig",
        "metadata": { "name": name, "namespace": "fleet" },
        // With its defaults, as a hub would have it.
        "spec": {
            "agentInstallNamespace": "open-cluster-management-agent-addon",
            "customizedVariables": [{ "name": "LEVEL", "value": level.to_string() }],
        },
    })
}

fn placement(name: &str, predicates: Value, group_size: Amount) -> Value {
    let canaries = json!({ "labelSelector": { "matchLabels": { "tier": "canary" } } });
    let mut groups = json!({ "decisionGroups": [{ "groupName": "canary", "groupClusterSelector": canaries }] });
    if group_size != Amount::Unset {
        groups["clustersPerDecisionGroup"] = group_size.json();
    }
    json!({
        "apiVersion": format!("{CLUSTERS}/v1beta1"), "kind": "Placement", "metadata": { "name": name, "namespace": "fleet" },
        "spec": { "clusterSets": ["global"], "predicates": predicates, "decisionStrategy": { "groupStrategy": groups } },
    })
}

//! What a history rolls out: an add-on, and an application beside it.

use serde_json::{Value, json};
use tidegate_api::key::{INSTANCE_LABEL, UNIT};
use tidegate_model::name::{ApplicationName, UnitName};
use tidegate_model::tree::Tree;
use tidegate_repository::revisions::publish;

use super::super::world::{World, addon_path, requests};
use super::ordered;

/// A rollout unit of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    /// The add-on, which is installed from the start.
    AddOn,
    /// The application. It has no object on the hub but its works.
    Application,
}

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const WORKS: &str = "/apis/work.open-cluster-management.io/v1";

/// How the application is declared. All forms select the same clusters, and the canaries are first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// By one Placement, with the strategy of the add-on.
    Groups,
    /// By two steps: a topology for the canaries, and the Placement for the others, which get more replicas. It requires the add-on, and has a
    /// second component that comes after the first one, and a third one whose replicas are replaced in batches.
    Steps,
    /// By one Placement, with a component whose type the repository defines.
    Defined,
    /// By the entries of an AppDeployment of the same name: one for the canaries, and one for the others, which get more replicas.
    Entries,
}

const GROUPS: &str = "
          type: ProgressivePerGroup
          progressivePerGroup:
            mandatoryDecisionGroups: [{groupName: canary}]
            progressDeadline: 1m
            maxFailures: 2%
";

const STEPS: &str = "
          type: Progressive
          progressive: {maxConcurrency: 4, progressDeadline: 1m, maxFailures: 2%}
    - {name: canaries, type: topology, properties: {clusterLabelSelector: {fleet: demo, tier: canary}}}
    - name: large
      type: override
      properties:
        components:
          - name: server
            traits: [{type: scaler, properties: {replicas: 2}}]
  workflow:
    steps:
      - {name: canaries, type: deploy, properties: {policies: [canaries]}}
      - {name: others, type: deploy, properties: {policies: [large, fleet]}}
";

/// The component of [`Form::Defined`].
const OF_DEFINED: &str = "type: page\n";

/// The file of the definition.
pub(super) const DEFINITION: &str = "fleet/definition.yaml";

/// Returns the definition of a type that renders what `webservice` does, with the name of the cluster, or one with a mistake.
pub(super) fn definition(has_mistake: bool) -> String {
    let image = if has_mistake { "${parameters.img}" } else { "${parameters.image}" };
    format!(
        "apiVersion: core.oam.dev/v1beta1
kind: ComponentDefinition
metadata: {{name: page, namespace: fleet-addons}}
spec:
  workload: {{definition: {{apiVersion: apps/v1, kind: Deployment}}}}
  schematic:
    tidegate:
      parameters: {{type: object, required: [image], properties: {{image: {{type: string}}}}}}
      objects:
        - name: workload
          template:
            apiVersion: apps/v1
            kind: Deployment
            metadata: {{name: '${{context.name}}'}}
            spec:
              selector: {{matchLabels: {{app.oam.dev/component: '${{context.name}}'}}}}
              template:
                metadata: {{labels: {{app.oam.dev/component: '${{context.name}}'}}}}
                spec:
                  containers:
                    - name: server
                      image: '{image}'
                      env: [{{name: CLUSTER, value: '${{context.cluster.name}}'}}]
"
    )
}

/// The text before the name of a revision in an AppDeployment.
const REVISION: &str = "revisionName: ";

impl Form {
    /// Returns the form of a declaration.
    pub(super) fn of(declaration: &str) -> Self {
        match declaration {
            _ if declaration.contains(REVISION) => Self::Entries,
            _ if declaration.contains("  workflow:") => Self::Steps,
            _ if declaration.contains(OF_DEFINED) => Self::Defined,
            _ => Self::Groups,
        }
    }
}

/// Returns the name of the revision with a version.
fn revision_name(version: &str) -> String {
    format!("v{}", version.replace('.', "-"))
}

/// Returns the version of a rollout, which the name of a revision may state.
pub(super) fn version(of_rollout: &str) -> String {
    of_rollout.trim_start_matches('v').replace('-', ".")
}

/// Returns the file of the revision with a version, which has the component of the application.
pub(super) fn revision(version: &str) -> (String, Option<Vec<u8>>) {
    let (application, _) = application(version, Form::Groups).split_once("  policies:").map(owned).unwrap();
    let candidate = as_candidate(&application).replace("name: web\n", "name: web-source\n");
    let files = [("fleet/web-source.yaml", candidate), ("tidegate.toml", super::play::ENABLED.to_owned())];
    let files = files.map(|(path, text)| (path.to_owned(), text.into_bytes()));
    let tree = Tree { files: files.into(), ..Tree::default() };
    let name: ApplicationName = "application/fleet-addons/web-source".to_owned().try_into().unwrap();
    let published = publish(&tree, "fleet", &name, Some(&revision_name(version))).unwrap();
    (published.file, published.text.map(String::into_bytes))
}

fn owned((a, b): (&str, &str)) -> (String, String) {
    (a.to_owned(), b.to_owned())
}

/// Returns an application that is checked and not rolled out.
pub(super) fn as_candidate(application: &str) -> String {
    application.replace("  annotations:\n", "  annotations:\n    app.oam.dev/revision-only: \"true\"\n")
}

fn app_deployment(version: &str) -> String {
    format!(
        "apiVersion: core.oam.dev/v1beta1
kind: AppDeployment
metadata:
  name: web
  namespace: fleet-addons
spec:
  appRevisions:
    - {REVISION}{}
      placement:
        - clusterSelector: {{labels: {{fleet: demo, tier: canary}}}}
        - clusterSelector: {{labels: {{fleet: demo, tier: rest}}}}
          distribution: {{replicas: 2}}
",
        revision_name(version)
    )
}

/// Returns the declaration of the application.
pub(super) fn application(version: &str, form: Form) -> String {
    let (strategy, requires, last) = match form {
        Form::Entries => return app_deployment(version),
        Form::Groups | Form::Defined => (GROUPS, "", String::new()),
        Form::Steps => (STEPS, "\n    tidegate.io/requires: hello-template", ordered::components(version)),
    };
    let declared = format!(
        "apiVersion: core.oam.dev/v1beta1
kind: Application
metadata:
  name: web
  namespace: fleet-addons
  annotations:
    app.oam.dev/publishVersion: {version}{requires}
spec:
  components:
    - name: server
      type: webservice
      properties:
        image: example.com/web:v{version}
        ports: [{{port: 8080, expose: true}}]
{last}  policies:
    - name: fleet
      type: placement
      properties:
        name: fleet
        rolloutStrategy:{strategy}"
    );
    let ports = "        ports: [{port: 8080, expose: true}]\n";
    match form {
        Form::Defined => declared.replace("type: webservice\n", OF_DEFINED).replace(ports, ""),
        _ => declared,
    }
}

impl Unit {
    /// All units of a history.
    pub(super) const ALL: [Self; 2] = [Self::AddOn, Self::Application];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::AddOn => "hello-template",
            Self::Application => "application/fleet-addons/web",
        }
    }

    pub(super) fn unit_name(self) -> UnitName {
        match self {
            Self::AddOn => self.name().parse().map(UnitName::AddOn).unwrap(),
            Self::Application => self.name().to_owned().try_into().map(UnitName::Application).unwrap(),
        }
    }

    /// Returns the folder of its files in the journal.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Self::AddOn => "addons/hello-template",
            Self::Application => "applications/fleet-addons/web",
        }
    }

    /// Returns the path of the file with people's decisions about it.
    pub(super) fn control(self) -> &'static str {
        match self {
            Self::AddOn => "control/hello-template.yaml",
            Self::Application => "control/applications/fleet-addons/web.yaml",
        }
    }

    /// Returns the path of the file that declares its version.
    pub(super) fn file(self) -> &'static str {
        match self {
            Self::AddOn => ADDON,
            Self::Application => "fleet/web.yaml",
        }
    }

    /// Returns the text before the version in the content of its works.
    pub(super) fn image(self) -> &'static str {
        match self {
            Self::AddOn => "addon-examples:v",
            Self::Application => "example.com/web:v",
        }
    }

    /// Returns the version that the followed branch declares, if it declares the unit.
    pub(super) fn declared(self, world: &World) -> Option<String> {
        let text = world.read("main", self.file());
        let before = match self {
            Self::AddOn => "name: hello-template-",
            Self::Application if Form::of(&text) == Form::Entries => REVISION,
            Self::Application => "publishVersion: ",
        };
        let (_, declared) = text.split_once(before)?;
        Some(version(&declared.chars().take_while(|c| !c.is_whitespace()).collect::<String>()))
    }

    /// Returns its declaration with a version.
    pub(super) fn with(self, world: &World, version: &str) -> String {
        match self {
            Self::AddOn => {
                let declared = self.declared(world).unwrap();
                let (from, to) = (format!("hello-template-{declared}"), format!("hello-template-{version}"));
                world.read("main", ADDON).replace(&from, &to)
            }
            Self::Application => application(version, Form::of(&world.read("main", self.file()))),
        }
    }

    /// Returns its first work on a cluster, with the path of the work.
    pub(super) async fn work(self, world: &World, cluster: &str) -> Option<(String, Value)> {
        let works = requests::get(&world.client(), &format!("{WORKS}/namespaces/{cluster}/manifestworks")).await?;
        let is_of = |work: &&Value| match self {
            Self::AddOn => work["metadata"]["name"] == "addon-hello-template-deploy-0",
            Self::Application => work["metadata"]["annotations"][UNIT] == self.name(),
        };
        let work = works["items"].as_array()?.iter().find(is_of)?.clone();
        let name = work["metadata"]["name"].as_str()?;
        Some((format!("{WORKS}/namespaces/{cluster}/manifestworks/{name}"), work))
    }

    /// Removes the mark of the instance from what the unit has on a cluster. Returns `true` if there was something.
    pub(super) async fn unmark(self, world: &World, cluster: &str) -> bool {
        let path = match self {
            Self::AddOn => Some(addon_path(cluster, self.name())),
            Self::Application => self.work(world, cluster).await.map(|(path, _)| path),
        };
        let Some(path) = path else { return false };
        if requests::get(&world.client(), &path).await.is_none() {
            return false;
        }
        let none = json!({ "metadata": { "labels": { INSTANCE_LABEL: Value::Null } } });
        requests::patch(&world.client(), &format!("{path}?fieldManager=somebody"), &none).await;
        true
    }
}

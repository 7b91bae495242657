//! Area `template`: one AddOnTemplate rendered for one cluster, and how its agent gets access to the hub.

use std::fmt;

use k8s_openapi::api::rbac::v1::RoleBinding;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use tidegate_api::ocm::addon_deployment_config::AddOnDeploymentConfig;
use tidegate_api::ocm::addon_template::TemplateRegistration;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::{ManagedClusterAddOn, Registration};
use tidegate_delivery::{
    Agent, Error, Identities, Rendered, Subject, Unreferenced, config_of, permissions, registration_namespace, render,
    template_of,
};
use tidegate_go::canonical::go_json;
use tidegate_model::name::{AddonName, ClusterName};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    managed_cluster: ManagedCluster,
    #[serde(rename = "managedClusterAddOn")]
    addon: ManagedClusterAddOn,
    #[serde(rename = "addOnTemplates")]
    templates: Vec<Value>,
    #[serde(rename = "addOnDeploymentConfigs")]
    configs: Vec<AddOnDeploymentConfig>,
}

/// Upstream's error.
struct Refusal {
    text: String,
    kind: &'static str,
}

impl Refusal {
    fn message(text: impl fmt::Display) -> Self {
        Self { text: text.to_string(), kind: "message" }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let kind = match error {
            Error::UnclosedTag { .. } => "panic",
            Error::Syntax { .. }
            | Error::NoKind { .. }
            | Error::ManifestConfigs { .. }
            | Error::ImageRegistries { .. } => "syntax",
            _ => "message",
        };
        Self { text: error.to_string(), kind }
    }
}

pub(super) fn answer(input: &Value) -> Result<Value, serde_json::Error> {
    let case = Case::deserialize(input)?;
    let name = |name: &Option<String>| Value::from(name.as_deref().unwrap_or_default());
    let addon: AddonName = serde_json::from_value(name(&case.addon.metadata.name))?;
    let cluster: ClusterName = serde_json::from_value(name(&case.managed_cluster.metadata.name))?;
    let agent = Agent { addon: &addon, cluster: &cluster };
    let mut answer = Map::new();
    let mut tell = |member: &str, value: Value| {
        answer.insert(member.to_owned(), value);
    };
    match case.rendered(agent) {
        Ok(rendered) => tell("manifests", rendered.objects.iter().map(|object| go_value(object)).collect()),
        Err(refusal) => {
            tell("error", refusal.text.into());
            tell("errorKind", refusal.kind.into());
            tell("manifests", json!([]));
        }
    }
    match case.registration_namespace(agent) {
        Ok(namespace) => tell("registrationNamespace", namespace.into()),
        Err(refusal) => tell("registrationNamespaceError", refusal.into()),
    }
    match case.registrations(agent)? {
        Ok(entries) => {
            let configs = agent.registrations(&entries);
            tell("registrationConfigs", configs.iter().map(registration).collect());
            let known = case.addon.status.as_ref().map_or(&[][..], |status| &status.registrations);
            let permissions = permissions(&case.addon, &cluster, &entries, &Identities::of_upstream(known));
            tell("roleBindings", sorted(&permissions.bindings)?);
            if let Some(problem) = permissions.problem {
                tell("permissionError", problem.to_string().into());
            }
        }
        Err(refusal) => {
            let text = |step| Value::from(format!("{step} failed to get addon template for addon {refusal}"));
            tell("registrationConfigs", json!([]));
            tell("registrationConfigsError", text("CSRConfigurations"));
            tell("roleBindings", json!([]));
            tell("permissionError", text("PermissionConfig"));
        }
    }
    Ok(Value::Object(answer))
}

impl Case {
    fn template(&self) -> Result<Option<&Value>, Unreferenced> {
        let is = |wanted: &ConfigReference, template: &Value| {
            template.pointer("/metadata/name").and_then(Value::as_str) == Some(&wanted.name)
        };
        template_of(&self.addon, |wanted| self.templates.iter().find(|template| is(wanted, template)))
    }

    fn config(&self) -> Result<Option<&AddOnDeploymentConfig>, Unreferenced> {
        let is = |wanted: &ConfigReference, config: &AddOnDeploymentConfig| {
            let (namespace, name) = (&config.metadata.namespace, &config.metadata.name);
            namespace.as_deref().unwrap_or_default() == wanted.namespace && name.as_deref() == Some(&wanted.name)
        };
        config_of(&self.addon, |wanted| self.configs.iter().find(|config| is(wanted, config)))
    }

    fn rendered(&self, agent: Agent<'_>) -> Result<Rendered, Refusal> {
        let Agent { addon, cluster } = agent;
        let template = self.template().map_err(Refusal::message)?;
        let missing = || Refusal::message(format_args!("addon {cluster}/{addon} template not found in status"));
        let template = template.ok_or_else(missing)?;
        let config = self.config().map_err(Refusal::message)?.map(|config| &config.spec);
        Ok(render(&Subject { addon, template, config, cluster: &self.managed_cluster })?)
    }

    fn registration_namespace(&self, agent: Agent<'_>) -> Result<String, String> {
        let addon = agent.addon;
        let template = self.template().map_err(|missing| missing.to_string())?;
        let template = template.ok_or_else(|| format!("addon {addon} template not found in status"))?;
        let unknown = |why| format!("failed to get deployment config for addon {addon}: {why}");
        let config = self.config().map_err(unknown)?;
        Ok(registration_namespace(template, config.map(|config| &config.spec)))
    }

    /// Returns the registrations of the template, or the end of upstream's error message if there is no template.
    fn registrations(&self, agent: Agent<'_>) -> Result<Result<Vec<TemplateRegistration>, String>, serde_json::Error> {
        let Agent { addon, cluster } = agent;
        Ok(match self.template() {
            Ok(Some(template)) => {
                let entries = template.pointer("/spec/registration").unwrap_or(&Value::Null);
                Ok(Option::deserialize(entries)?.unwrap_or_default())
            }
            Ok(None) => Err(format!("{cluster}/{addon}, template is nil")),
            Err(missing) => Err(format!("{cluster}/{addon}: {missing}")),
        })
    }
}

/// Formats an object as Go does.
fn go_value(object: &Value) -> Value {
    serde_json::from_str(&go_json(object)).unwrap_or_default()
}

fn registration(registration: &Registration) -> Value {
    let list = |items: &[String]| if items.is_empty() { Value::Null } else { json!(items) };
    let (mut signer, mut user, mut groups, mut units) = (None, None, Value::Null, Value::Null);
    if let Some(subject) = registration.kube_client.as_ref().and_then(|client| client.subject.as_ref()) {
        (user, groups) = (subject.user.as_deref(), list(&subject.groups));
    }
    if let Some(custom) = &registration.custom_signer {
        signer = Some(custom.signer_name.as_str());
        if let Some(subject) = &custom.subject {
            user = subject.user.as_deref();
            (groups, units) = (list(&subject.groups), list(&subject.organization_units));
        }
    }
    json!({
        "type": registration.type_,
        "signerName": signer.unwrap_or_default(),
        "user": user.unwrap_or_default(),
        "groups": groups,
        "organizationUnits": units,
    })
}

fn sorted(bindings: &[RoleBinding]) -> Result<Value, serde_json::Error> {
    let mut bindings: Vec<&RoleBinding> = bindings.iter().collect();
    bindings.sort_by_key(|binding| (&binding.metadata.namespace, &binding.metadata.name));
    let told = |binding: &RoleBinding| {
        let mut value = serde_json::to_value(binding)?;
        if let Some(members) = value.as_object_mut() {
            members.retain(|name, _| name != "apiVersion" && name != "kind");
        }
        Ok(value)
    };
    bindings.into_iter().map(told).collect()
}

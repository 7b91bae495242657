//! The controller that renders and writes the works of an add-on on a cluster, and reports on them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::condition::{self, Claim};
use tidegate_api::key;
use tidegate_api::ocm::addon_deployment_config::AddOnDeploymentConfigSpec;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::{HealthCheck, ManagedClusterAddOnStatus};
use tidegate_api::ocm::manifest_work::{ManifestConfigOption, ManifestWork};
use tidegate_api::precondition::precondition;
use tidegate_delivery::status::{Entry as _, works};
use tidegate_delivery::{BUDGET, Evidence, Hosting, Layout, Rendered, Template, Unreferenced, WorkOwner};
use tidegate_model::action::Write;
use tidegate_model::name::{AddonName, ClusterName};
use tidegate_model::semantics::Rules;

use crate::upstream::controllers::assignment::{key_of, status_patch};
use crate::upstream::controllers::own::own_work;
use crate::upstream::controllers::view::{Server, View};
use crate::upstream::hub::kind::{CLUSTER, DEPLOYMENT_CONFIG, TEMPLATE};

/// Returns the next writes: the works, then either the finalizers or the status.
pub(in crate::upstream) fn decide(view: &View<'_>) -> Vec<Write> {
    let Some(server) = view.of_addon.server() else { return Vec::new() };
    let status = view.status();
    let cluster: Option<ManagedCluster> = view.of_addon.cache.read(CLUSTER, "", view.cluster);
    let is_accepted = matches!(server, Server::Own(_)) || view.has_template();
    let is_registered = condition::find(&status.conditions, key::REGISTRATION_APPLIED).is_some();
    let (Some(cluster), true) = (cluster, is_accepted && is_registered) else { return Vec::new() };
    if view.of_addon.controls.unrendered.contains(view.cluster) {
        return Vec::new();
    }
    let existing = view.of_addon.cache.works(view.cluster, view.name);
    let finalizers = finalizers(view);
    Pass { view, server, cluster: &cluster, existing, status, finalizers, writes: Vec::new() }.run()
}

/// One pass of the controller over an add-on on a cluster.
struct Pass<'a> {
    view: &'a View<'a>,
    server: Server<'a>,
    cluster: &'a ManagedCluster,
    existing: BTreeMap<String, Arc<ManifestWork>>,
    status: ManagedClusterAddOnStatus,
    finalizers: Vec<String>,
    writes: Vec<Write>,
}

impl Pass<'_> {
    fn run(mut self) -> Vec<Write> {
        // Only template add-ons wait for their turn.
        let is_waiting =
            matches!(self.server, Server::Templates) && !condition::is_true(&self.status.conditions, key::CONFIGURED);
        let rendered = (!is_waiting).then(|| self.rendered()).transpose();
        let is_held = self.finalizers.iter().any(|finalizer| finalizer == key::PRE_DELETE);
        match &rendered {
            Err(why) => self.claim(key::MANIFEST_APPLIED, "False", "ManifestWorkApplyFailed", {
                format!("failed to get manifest from agent interface: {why}")
            }),
            Ok(rendered) => {
                let is_leaving = self.view.is_deleting() || self.cluster.metadata.deletion_timestamp.is_some();
                if let Some(rendered) = rendered.as_ref().filter(|_| is_held || !is_leaving) {
                    self.deploy(rendered);
                }
                self.hooks(rendered.as_ref(), is_held);
            }
        }
        if matches!(self.server, Server::Templates) {
            self.status.health_check = Some(HealthCheck { mode: "Customized".to_owned() });
            self.health(rendered.unwrap_or_default().as_ref());
        }
        self.concluded()
    }

    fn rendered(&self) -> Result<Rendered, String> {
        match self.server {
            Server::Own(own) => Ok([own_work(own, &self.status.config_references)].into_iter().collect()),
            Server::Templates => {
                let template = found_template(self.view)?;
                let config = found_config(self.view)?;
                let addon: AddonName = self.view.name.parse().map_err(|error| format!("{error}"))?;
                let prepared = Template::prepare(&addon, template, config.as_ref());
                prepared.and_then(|template| template.render(self.cluster)).map_err(|error| error.to_string())
            }
        }
    }

    fn deploy(&mut self, rendered: &Rendered) {
        let wanted = self.with_layout(rendered, tidegate_delivery::works);
        match wanted {
            Ok(wanted) => {
                self.writes.extend(tidegate_delivery::work_writes(&wanted, &self.existing));
                if let Some(claim) = tidegate_delivery::manifest_applied(wanted.names(), &self.existing) {
                    condition::set(&mut self.status.conditions, claim, self.view.of_addon.now);
                }
            }
            Err(why) => self.claim(key::MANIFEST_APPLIED, "False", "ManifestWorkApplyFailed", {
                format!("failed to build manifestwork: {why}")
            }),
        }
    }

    fn hooks(&mut self, rendered: Option<&Rendered>, is_held: bool) {
        let hook =
            rendered.and_then(|rendered| self.with_layout(rendered, tidegate_delivery::hook_work).ok().flatten());
        let Some(hook) = hook else { return self.finalizers.retain(|finalizer| finalizer != key::PRE_DELETE) };
        if !is_held && !self.view.is_deleting() {
            self.finalizers.push(key::PRE_DELETE.to_owned());
        }
        if !is_held || !self.view.is_deleting() {
            return;
        }
        let work = self.existing.get(&hook.name);
        let is_completed = work.is_some_and(|work| tidegate_delivery::hooks_completed(work));
        condition::set(
            &mut self.status.conditions,
            tidegate_delivery::hook_claim(&hook.name, is_completed),
            self.view.of_addon.now,
        );
        if is_completed {
            self.finalizers.retain(|finalizer| finalizer != key::PRE_DELETE);
        }
        let wanted = tidegate_delivery::Works { apply: vec![hook], ..Default::default() };
        self.writes.extend(tidegate_delivery::work_writes(&wanted, &self.existing));
    }

    fn health(&mut self, rendered: Option<&Rendered>) {
        let (Ok(addon), Some(rendered)) = (self.view.name.parse::<AddonName>(), rendered) else { return };
        let evidence = Evidence {
            owner: &WorkOwner::addon(&addon),
            cluster: self.cluster,
            works: &self.existing,
            probes: &rendered.probes,
            conditioned: &[],
            has_manifest_applied: condition::find(&self.status.conditions, key::MANIFEST_APPLIED).is_some(),
        };
        if let Some(claim) = tidegate_delivery::health(&evidence) {
            condition::set(&mut self.status.conditions, claim, self.view.of_addon.now);
        }
    }

    /// Returns the writes of the pass. The status is dropped if the finalizers have changed.
    fn concluded(self) -> Vec<Write> {
        let Self { view, status, finalizers, mut writes, .. } = self;
        let metadata = &view.cluster_addon.metadata;
        if finalizers == self::finalizers(view) {
            writes.extend(status_patch(view, status));
        } else if let Some(precondition) = precondition(metadata) {
            let patch = json!({ "metadata": { "finalizers": finalizers } });
            writes.push(Write::Patch { key: key_of(view), precondition, patch: patch.into() });
        }
        writes
    }

    fn with_layout<T>(
        &self,
        rendered: &Rendered,
        use_it: impl FnOnce(&Layout<'_>) -> Result<T, tidegate_delivery::Error>,
    ) -> Result<T, tidegate_delivery::Error> {
        let addon: AddonName = self.view.name.parse().expect("the hub accepts only valid names");
        let cluster: ClusterName = self.view.cluster.parse().expect("the hub accepts only valid names");
        let hashes = works::annotation(&self.status.config_references);
        let configs = default_configs(self.view);
        use_it(&Layout {
            owner: &WorkOwner::addon(&addon),
            owner_uid: self.view.cluster_addon.metadata.uid.as_deref().unwrap_or_default(),
            cluster: &cluster,
            hosting: Hosting::Unsupported,
            rendered,
            config_hashes: hashes.as_deref(),
            template_configs: &configs,
            existing: &self.existing,
            others: &[],
            budget: BUDGET,
            rules: Rules::COMPAT,
        })
    }

    fn claim(&mut self, type_: &'static str, status: &'static str, reason: &str, message: String) {
        let claim = Claim::new(type_, status, reason, message);
        condition::set(&mut self.status.conditions, claim, self.view.of_addon.now);
    }
}

fn finalizers(view: &View<'_>) -> Vec<String> {
    view.cluster_addon.metadata.finalizers.clone().unwrap_or_default()
}

/// Returns the AddOnTemplate that the status of an add-on on a cluster refers to.
pub(in crate::upstream) fn found_template<'a>(view: &View<'a>) -> Result<&'a Value, String> {
    let find = |reference: &ConfigReference| view.of_addon.cache.get(TEMPLATE, "", &reference.name);
    let found =
        tidegate_delivery::template_of(view.cluster_addon, find).map_err(|error: Unreferenced| error.to_string())?;
    found.ok_or_else(|| format!("addon {}/{} template not found in status", view.cluster, view.name))
}

/// Returns the AddOnDeploymentConfig that the status of an add-on on a cluster refers to, if any.
pub(in crate::upstream) fn found_config(view: &View<'_>) -> Result<Option<AddOnDeploymentConfigSpec>, String> {
    let find =
        |reference: &ConfigReference| view.of_addon.cache.get(DEPLOYMENT_CONFIG, &reference.namespace, &reference.name);
    let found =
        tidegate_delivery::config_of(view.cluster_addon, find).map_err(|error: Unreferenced| error.to_string())?;
    found
        .map(|config| serde::Deserialize::deserialize(&config["spec"]))
        .transpose()
        .map_err(|error: serde_json::Error| error.to_string())
}

/// Returns the `manifestConfigs` of the default template, which upstream uses even if the cluster has another template.
fn default_configs(view: &View<'_>) -> Vec<ManifestConfigOption> {
    let references = view.of_addon.addon.status.iter().flat_map(|status| &status.default_config_references);
    let desired = references.into_iter().filter_map(|reference| reference.desired());
    let default = desired.into_iter().find(|d| d.reference.resource == key::ADDON_TEMPLATES && !d.spec_hash.is_empty());
    let template = default.and_then(|default| view.of_addon.cache.get(TEMPLATE, "", &default.reference.name));
    let configs = template.and_then(|template| template.pointer("/spec/agentSpec/manifestConfigs"));
    configs.and_then(|configs| serde::Deserialize::deserialize(configs).ok()).unwrap_or_default()
}

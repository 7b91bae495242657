//! Pre-delete hooks: Jobs and Pods of a template that run on a cluster before an add-on leaves it.
//!
//! A finalizer keeps a ManagedClusterAddOn that is being deleted until its hooks have completed. Its works stay as they are; the hub
//! deletes them after the ManagedClusterAddOn.
//!
//! # Source
//! OCM addon-framework, the hook sync of the deploy controller. Upstream waits forever for a hook that can no longer run. Here the hook
//! is skipped, with a notice, if the cluster or the template is gone, or if an annotation of the ManagedClusterAddOn asks for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::context::Planned;
use crate::input::Input;
use crate::report::DETACHED;
use crate::status_patch::status_patch;
use tidegate_api::condition::{self, Claim};
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_api::ocm::addon_deployment_config::AddOnDeploymentConfigSpec;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_api::precondition::precondition;
use tidegate_delivery::status::{Desired, Entry};
use tidegate_delivery::upstream::Delivery;
use tidegate_delivery::{BUDGET, Hosting, Layout, Rendered, Template, Work, WorkOwner, Works};
use tidegate_model::action::{Lane, Stage, Write};
use tidegate_model::name::{AddonName, ClusterName};
use tidegate_model::object::ObjectKey;

/// What happens next to the hooks of an add-on that is being deleted from a cluster.
enum Next {
    /// They have completed, or the template has no hooks.
    Release,
    /// They are skipped, for this reason.
    Skip(String),
    /// They run. The work is created or repaired if it is given.
    Wait { work: Option<Work>, why: String },
}

/// Why the work of the hooks cannot be made.
#[derive(Debug, thiserror::Error)]
enum Unrendered {
    #[error("its AddOnDeploymentConfig no longer exists")]
    NoConfig,
    #[error(transparent)]
    Config(#[from] serde_json::Error),
    #[error(transparent)]
    Template(#[from] tidegate_delivery::Error),
}

/// Adds to the plan of an add-on what happens to the hooks of the clusters that it is being deleted from.
pub(crate) fn run(input: &Input<'_>, name: &AddonName, planned: &mut Planned) {
    if input.delivery == Delivery::Upstream {
        return;
    }
    for (cluster, addon) in input.fleet.cluster_addons.get(name.as_str()).into_iter().flatten() {
        let is_deleting = addon.metadata.deletion_timestamp.is_some();
        if !is_deleting || !is_held(addon) || !input.ownership().of_install(addon).may_write() {
            continue;
        }
        let hook = Hook { input, name, cluster, addon };
        let next = hook.next();
        let writes = hook.writes(&next);
        if !writes.is_empty() {
            planned.lanes.push(Lane { stage: Stage::Deliver, writes });
        }
        match next {
            Next::Release => {}
            Next::Skip(why) => {
                planned.notices.push(format!("add-on {name} leaves {cluster} without its pre-delete hook: {why}"));
            }
            Next::Wait { why, .. } => {
                if let Some(report) = planned.report.clusters.get_mut(cluster) {
                    // The reason says that the cluster is detached, if it is.
                    report.reason = if report.reason == DETACHED { format!("{DETACHED}; {why}") } else { why };
                    report.opens = format!(
                        "the hook completes, or its ManagedClusterAddOn has the annotation {}=true",
                        key::SKIP_PRE_DELETE
                    );
                }
            }
        }
    }
}

/// Returns the write that adds the finalizer to a live ManagedClusterAddOn with hooks, or removes it from one without hooks; `None` if
/// nothing has to change.
pub(crate) fn guard(name: &AddonName, addon: &ManagedClusterAddOn, has_hooks: bool) -> Option<Write> {
    let is_there = addon.metadata.finalizers.iter().flatten().any(|finalizer| finalizer == key::PRE_DELETE);
    let finalizers = match has_hooks {
        true if !is_there => without_finalizer(addon).chain([key::PRE_DELETE]).collect::<Vec<_>>(),
        false if is_held(addon) => without_finalizer(addon).collect(),
        _ => return None,
    };
    patched(name, addon, &finalizers)
}

/// Returns `true` if an add-on waits for its pre-delete hooks.
pub(crate) fn is_held(addon: &ManagedClusterAddOn) -> bool {
    addon.metadata.finalizers.iter().flatten().any(|finalizer| key::PRE_DELETE_FINALIZERS.contains(&finalizer.as_str()))
}

fn without_finalizer(addon: &ManagedClusterAddOn) -> impl Iterator<Item = &str> {
    addon
        .metadata
        .finalizers
        .iter()
        .flatten()
        .map(String::as_str)
        .filter(|name| !key::PRE_DELETE_FINALIZERS.contains(name))
}

fn patched(name: &AddonName, addon: &ManagedClusterAddOn, finalizers: &[&str]) -> Option<Write> {
    let patch = json!({ "metadata": { "finalizers": finalizers } });
    Some(Write::Patch { key: key_of(name, addon), precondition: precondition(&addon.metadata)?, patch: patch.into() })
}

fn key_of(name: &AddonName, addon: &ManagedClusterAddOn) -> ObjectKey {
    let namespace = addon.metadata.namespace.as_deref().unwrap_or_default();
    object_key::cluster_addon(namespace, name.as_str())
}

/// The hooks of an add-on that is being deleted from a cluster.
#[derive(Clone, Copy)]
struct Hook<'a> {
    input: &'a Input<'a>,
    name: &'a AddonName,
    cluster: &'a ClusterName,
    addon: &'a ManagedClusterAddOn,
}

impl<'a> Hook<'a> {
    fn next(&self) -> Next {
        let annotations = self.addon.metadata.annotations.as_ref();
        if annotations.and_then(|a| a.get(key::SKIP_PRE_DELETE)).is_some_and(|value| value == "true") {
            return Next::Skip(format!("its ManagedClusterAddOn has the annotation {}", key::SKIP_PRE_DELETE));
        }
        let Some(managed) = self.input.fleet.clusters.get(self.cluster) else {
            let managed = object_key::cluster(self.cluster.as_str());
            if self.input.fleet.unreadable.contains_key(&managed) {
                let why = "its pre-delete hook waits until its ManagedCluster can be read".to_owned();
                return Next::Wait { work: None, why };
            }
            return Next::Skip("the hub has no such ManagedCluster".to_owned());
        };
        let existing = self.observed();
        let waits = || match managed.is_unreachable() {
            true => "its pre-delete hook cannot run: the cluster is unreachable".to_owned(),
            false => "its pre-delete hook has not completed".to_owned(),
        };
        let Some(template) = self.config(key::ADDON_TEMPLATES) else {
            return match existing {
                Some(work) if tidegate_delivery::hooks_completed(work) => Next::Release,
                Some(_) => Next::Wait { work: None, why: waits() },
                None => Next::Skip("its AddOnTemplate no longer exists".to_owned()),
            };
        };
        match self.work(template, managed) {
            Ok(None) => Next::Release,
            Ok(Some(work)) => {
                let is_current = existing.is_some_and(|existing| !tidegate_delivery::differs(existing, &work));
                match existing {
                    Some(existing) if is_current && tidegate_delivery::hooks_completed(existing) => Next::Release,
                    // It belongs to an earlier installation, and is created again once the hub has deleted it.
                    Some(existing) if existing.metadata.deletion_timestamp.is_some() => {
                        Next::Wait { work: None, why: waits() }
                    }
                    _ => Next::Wait { work: Some(work), why: waits() },
                }
            }
            Err(why) => Next::Wait { work: None, why: format!("its pre-delete hook cannot be rendered: {why}") },
        }
    }

    fn owner(&self) -> WorkOwner {
        WorkOwner::addon(self.name)
    }

    /// Returns the work of the hooks on the hub.
    fn observed(&self) -> Option<&'a ManifestWork> {
        let works = self.input.fleet.works.get(self.name.as_str())?.get(self.cluster)?;
        works.get(&self.owner().hook).map(|work| &**work)
    }

    /// Returns the content of the first configuration of a kind that the cluster was assigned, in the assigned version if that is still
    /// known. Otherwise the one on the hub is used, as upstream always does.
    fn config(&self, resource: &str) -> Option<&'a Value> {
        let Desired { reference, spec_hash } = self.assigned(resource)?;
        let declared = self.input.repository.addons.get(self.name.as_str());
        let known = self.input.configuration(declared, &reference, &spec_hash);
        let known = known.map(|known| &known.object);
        known.or_else(|| self.input.fleet.declared.get(&reference.object_key()?)).map(|object| &**object)
    }

    fn assigned(&self, resource: &str) -> Option<Desired> {
        self.addon.config_reference(resource)?.desired()
    }

    /// Returns the work of the hooks as it should be; `None` if the template has none for this cluster.
    fn work(&self, template: &Value, managed: &ManagedCluster) -> Result<Option<Work>, Unrendered> {
        let spec = match self.config(key::ADDON_DEPLOYMENT_CONFIGS) {
            Some(config) => Some(AddOnDeploymentConfigSpec::of(config)?),
            None if self.assigned(key::ADDON_DEPLOYMENT_CONFIGS).is_some() => {
                return Err(Unrendered::NoConfig);
            }
            None => None,
        };
        let template = Template::prepare(self.name, template, spec.as_ref())?;
        let rendered: Rendered = template.render(managed)?;
        let layout = Layout {
            owner: &self.owner(),
            owner_uid: self.addon.metadata.uid.as_deref().unwrap_or_default(),
            cluster: self.cluster,
            hosting: Hosting::Unsupported,
            rendered: &rendered,
            config_hashes: None,
            template_configs: &[],
            existing: &BTreeMap::new(),
            others: &[],
            budget: BUDGET,
            rules: self.input.repository.settings.rules(),
        };
        Ok(tidegate_delivery::hook_work(&layout)?)
    }

    fn writes(&self, next: &Next) -> Vec<Write> {
        let hook = self.owner().hook;
        match next {
            Next::Release => self.released(None),
            Next::Skip(why) => {
                self.released(Some(Claim::new(key::HOOK_COMPLETED, "False", "HookSkipped", why.clone())))
            }
            Next::Wait { work, .. } => {
                let existing: BTreeMap<String, Arc<ManifestWork>> =
                    self.observed().map(|work| (hook.clone(), Arc::new(work.clone()))).into_iter().collect();
                let wanted = Works { apply: work.iter().cloned().collect(), ..Works::default() };
                let applied =
                    work.as_ref().and_then(|_| tidegate_delivery::manifest_applied(wanted.names(), &existing));
                let claims = applied.into_iter().chain([tidegate_delivery::hook_claim(&hook, false)]);
                let status = self.status(claims);
                status.into_iter().chain(tidegate_delivery::work_writes(&wanted, &existing)).collect()
            }
        }
    }

    /// Returns the writes that let the hub delete the ManagedClusterAddOn.
    fn released(&self, claim: Option<Claim>) -> Vec<Write> {
        let finalizers: Vec<&str> = without_finalizer(self.addon).collect();
        self.status(claim).into_iter().chain(patched(self.name, self.addon, &finalizers)).collect()
    }

    fn status(&self, claims: impl IntoIterator<Item = Claim>) -> Option<Write> {
        let observed = self.addon.status.clone().unwrap_or_default();
        let mut status = observed.clone();
        for claim in claims {
            condition::set(&mut status.conditions, claim, self.input.now);
        }
        let patch = status_patch(&observed, &status)?;
        let precondition = precondition(&self.addon.metadata);
        Some(Write::PatchStatus { key: key_of(self.name, self.addon), precondition, status: patch })
    }
}

//! One add-on rendered for one cluster.

use std::sync::Arc;

use crate::context::Context;
use crate::memo::Memo;
use crate::moves::Move;
use tidegate_api::key;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_delivery::status::{Desired, layer};
use tidegate_delivery::{Rendered, Template};
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_repository::Configuration;

/// Why an add-on cannot be delivered to a cluster. Displayed in condition `ManifestApplied`, with upstream's message if upstream
/// has one.
#[derive(Debug, thiserror::Error)]
pub enum Undeliverable {
    /// No AddOnTemplate is among the configurations that the cluster should have, or its content is not known.
    #[error("addon {cluster}/{addon} template not found in status")]
    NoTemplate {
        /// The cluster.
        cluster: ClusterName,
        /// The add-on.
        addon: UnitName,
    },
    /// OCM's add-on manager delivers the add-on, and the hub does not have copies of the configurations yet.
    #[error("its configurations are being copied on the hub")]
    Uncopied,
    /// OCM's add-on manager delivers the add-on, and the repository does not have a configuration that the cluster should have.
    #[error("a configuration is not in the repository: {0}")]
    Unknown(NamespacedName),
    /// An object is to be delivered by another unit, which does not have it yet.
    #[error("{} moves to {}, which does not have it on the cluster yet", .0.object, .0.to)]
    Moves(Box<Move>),
    /// The template cannot be rendered or packed into works.
    #[error(transparent)]
    Template(#[from] tidegate_delivery::Error),
}

/// What an add-on on one cluster is rendered from.
pub(crate) struct Sources {
    /// The template with its AddOnDeploymentConfig.
    pub template: Arc<Template>,
    /// Differs whenever the rendered objects may differ.
    pub fingerprint: String,
}

/// Returns what an add-on is rendered from on a cluster with the configurations that it should have.
pub(crate) fn sources(
    context: &Context<'_>,
    (name, cluster): (&ClusterName, &ManagedCluster),
    desired: &[Desired],
    memo: &mut Memo,
) -> Result<Sources, Undeliverable> {
    let Prepared { template, hashes } = prepared(context, name, desired, memo)?;
    if context.rules.refuses_unset_variables {
        template.require_variables()?;
    }
    let registries = cluster.metadata.annotations.as_ref().and_then(|a| a.get(key::IMAGE_REGISTRIES));
    Ok(Sources { template, fingerprint: format!("{hashes} {}", registries.map_or("", String::as_str)) })
}

/// Renders an add-on for a cluster with the configurations that it should have.
pub(crate) fn rendering(
    context: &Context<'_>,
    (name, cluster): (&ClusterName, &ManagedCluster),
    desired: &[Desired],
    memo: &mut Memo,
) -> Result<Rendered, Undeliverable> {
    Ok(sources(context, (name, cluster), desired, memo)?.template.render(cluster)?)
}

/// A template that is ready to be rendered.
pub(super) struct Prepared {
    /// The template with its AddOnDeploymentConfig.
    pub(super) template: Arc<Template>,
    /// The hashes of both.
    hashes: String,
}

/// Prepares the template of an add-on with the configurations that a cluster should have.
pub(super) fn prepared(
    context: &Context<'_>,
    name: &ClusterName,
    desired: &[Desired],
    memo: &mut Memo,
) -> Result<Prepared, Undeliverable> {
    let find = |resource| {
        layer::first(desired, resource)
            .and_then(|d| Some((&d.spec_hash, content(context, &d.reference, &d.spec_hash)?)))
    };
    let no_template = || Undeliverable::NoTemplate { cluster: name.clone(), addon: context.name.clone() };
    let content =
        layer::content(desired).and_then(|d| Some((&d.spec_hash, content(context, &d.reference, &d.spec_hash)?)));
    let (template_hash, template) = content.ok_or_else(no_template)?;
    let config = find(key::ADDON_DEPLOYMENT_CONFIGS);
    let hashes = format!("{template_hash} {}", config.map_or("", |(hash, _)| hash.as_str()));
    let prepare = || {
        let spec = config.and_then(|(_, config)| config.deployment_config.as_deref());
        Template::of_unit(context.name, &template.object, spec).map_err(Undeliverable::Template)
    };
    let template = memo.template(context.name, &hashes, prepare)?;
    Ok(Prepared { template, hashes })
}

/// Returns a configuration with this hash, from the revision in force or from an earlier one.
pub(crate) fn content<'a>(context: &Context<'a>, reference: &ConfigReference, hash: &str) -> Option<&'a Configuration> {
    context.input.configuration(Some(context.unit), reference, hash)
}

//! The requests of add-on agents for certificates: which are approved, and which certificates are issued.

use std::sync::Arc;

use k8s_openapi::api::certificates::v1::CertificateSigningRequest;
use serde_json::Value;

use crate::hub_objects::ownership::Owner;
use crate::input::Input;
use crate::memo::{Evidenced, Memo};
use tidegate_api::key;
use tidegate_api::ocm::addon_template::SigningCa;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_delivery::registration::{Decision, Evidence, Reason, approved, closed, decide, replaced};
use tidegate_delivery::registrations_of;
use tidegate_delivery::status::{Desired, Entry as _};
use tidegate_model::action::{Lane, Stage, Subresource};
use tidegate_model::name::{AddonName, NamespacedName};

/// Number of requests that one plan judges. A request costs up to half a millisecond, for the signature that proves its key. When ten
/// thousand agents ask at the same time, a tick stays short, and all have their answers within seconds.
const AT_ONCE: usize = 250;
/// Number of requests that are reported.
const NAMED: usize = 20;
/// Maximum length of a reported line, in characters: a request may contain long strings.
const LINE: usize = 400;

/// A certificate that a custom signer is to issue.
#[derive(Debug, Clone, PartialEq)]
pub struct Issue {
    /// The approved request.
    pub request: Arc<CertificateSigningRequest>,
    /// The Secret with the authority that signs the certificate.
    pub authority: NamespacedName,
}

/// What is decided about the requests.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    /// The approvals.
    pub lanes: Vec<Lane>,
    /// The certificates to issue.
    pub issues: Vec<Issue>,
    /// The requests that are left alone although they look like those of agents, each with the reason.
    pub suspects: Vec<String>,
    /// Whether requests are left for the next plan.
    pub has_more: bool,
}

/// Decides about every request of an agent. A request is judged again only if it or its evidence has changed.
pub(crate) fn judged(input: &Input<'_>, memo: &mut Memo) -> Judged {
    let registrations = |name: &AddonName, addon: &ManagedClusterAddOn| {
        template(input, name, addon).map(|template| registrations_of(template))
    };
    let evidence = Evidence { fleet: input.fleet, instance: input.instance, registrations: &registrations };
    let (mut judged, mut suspects, mut left) = (Judged::default(), 0, AT_ONCE);
    // A hub keeps closed requests for an hour.
    for (name, request) in input.fleet.requests.iter().filter(|(_, request)| closed(request).is_none()) {
        let on = evidenced(input, request, evidence);
        let decision = match memo.decision(name, &on) {
            Some(known) => known,
            None if left == 0 => {
                judged.has_more = true;
                continue;
            }
            None => {
                left -= 1;
                memo.decided(name, on, decide(request, evidence))
            }
        };
        match decision {
            Decision::Approve => {
                let write = replaced(Subresource::Approval, approved(request));
                judged.lanes.push(Lane { stage: Stage::Deliver, writes: vec![write] });
            }
            Decision::Sign(ca) => {
                judged.issues.push(Issue { request: Arc::clone(request), authority: secret(ca) });
            }
            Decision::Ignore(reason) if reason.is_remarkable() => {
                suspects += 1;
                if suspects <= NAMED {
                    judged.suspects.push(line(name, reason));
                }
            }
            Decision::Ignore(_) => {}
        }
    }
    if suspects > NAMED {
        judged.suspects.push(format!("and {} more CertificateSigningRequests", suspects - NAMED));
    }
    judged
}

/// Returns what a decision about a request is based on.
fn evidenced(input: &Input<'_>, request: &CertificateSigningRequest, evidence: Evidence<'_>) -> Evidenced {
    let fleet = input.fleet;
    let label = |key: &str| request.metadata.labels.as_ref().and_then(|labels| labels.get(key));
    let addon = label(key::ADDON_NAME).and_then(|name| fleet.cluster_addons.get_key_value(name.as_str()));
    let cluster = label(key::CLUSTER_NAME).map_or("", String::as_str);
    let install = addon.and_then(|(_, clusters)| clusters.get(cluster));
    let managed = fleet.clusters.get(cluster).map(|cluster| &cluster.metadata);
    let objects = [Some(&request.metadata), install.map(|install| &install.metadata), managed];
    let name = addon.and_then(|(name, _)| name.addon());
    let template = name.zip(install).and_then(|(name, install)| template(input, name, install));
    Evidenced {
        versions: objects.map(|metadata| Some((metadata?.uid.clone()?, metadata?.resource_version.clone()?))),
        template: template.cloned(),
        is_driven: name.is_some_and(|name| evidence.drives(name)),
    }
}

/// Returns the template that a cluster was assigned, in the assigned version if that is still known. Otherwise the one on the hub is used
/// if this instance wrote it: an add-on that left the repository keeps its credentials until it has left its clusters.
///
/// The status that names the template can be changed by the agent of the cluster, so a template of another add-on is not accepted: its
/// custom signer is not for this one. Upstream accepts every template on the hub.
fn template<'a>(input: &Input<'a>, name: &AddonName, addon: &ManagedClusterAddOn) -> Option<&'a Arc<Value>> {
    let Desired { reference, spec_hash } = addon.config_reference(key::ADDON_TEMPLATES)?.desired()?;
    let on_hub = || {
        let key = reference.object_key()?;
        let object = input.fleet.declared.get(&key)?;
        (input.ownership().of_object(object) == Owner::Ours).then_some(object)
    };
    let known = input.configuration(input.repository.addons.get(name.as_str()), &reference, &spec_hash);
    let template = known.map(|known| &known.object).or_else(on_hub)?;
    template.pointer("/spec/addonName").is_some_and(|addon| addon == name.as_str()).then_some(template)
}

/// Returns the Secret of an authority.
///
/// # Source
/// OCM `pkg/addon/templateagent`, where an empty namespace is that of the add-on manager.
fn secret(ca: &SigningCa) -> NamespacedName {
    let namespace = ca.namespace.as_deref().filter(|namespace| !namespace.is_empty()).unwrap_or(key::HUB_NAMESPACE);
    NamespacedName::new(namespace, &ca.name)
}

fn line(name: &str, reason: &Reason) -> String {
    let line = format!("CertificateSigningRequest {name} is left alone: {reason}");
    if line.chars().count() <= LINE { line } else { line.chars().take(LINE).chain(['…']).collect() }
}

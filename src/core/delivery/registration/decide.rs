//! The decision about one CertificateSigningRequest.

use k8s_openapi::api::certificates::v1::{
    CertificateSigningRequest, CertificateSigningRequestCondition, CertificateSigningRequestSpec,
};

use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::mark::Mark;
use tidegate_api::ocm::addon_template::{SigningCa, TemplateRegistration};
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_model::instance::Instance;
use tidegate_model::name::{AddonName, ClusterName, InvalidName};

use super::reason::Reason;
use super::request::Request;
use super::requester;
use super::subject::{self, Subject};
use crate::{Agent, template_of};

/// The signer of client certificates for the hub's API server. kube-controller-manager issues them.
const KUBE_SIGNER: &str = "kubernetes.io/kube-apiserver-client";
/// What agents need their certificates for.
const USAGES: [&str; 3] = ["digital signature", "key encipherment", "client auth"];

/// What is known about the hub when a request is judged.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    /// The objects on the hub.
    pub fleet: &'a Fleet,
    /// This instance.
    pub instance: &'a Instance,
    /// Returns the registrations of the AddOnTemplate that the status of an add-on on a cluster refers to, or `None` if no such
    /// template of the add-on is known.
    pub registrations: &'a dyn Fn(&AddonName, &ManagedClusterAddOn) -> Option<Vec<TemplateRegistration>>,
}

impl Evidence<'_> {
    /// Returns `true` if this instance drives an add-on.
    pub fn drives(&self, addon: &AddonName) -> bool {
        self.fleet
            .addons
            .get(addon)
            .is_some_and(|addon| Mark::of(&addon.metadata).is_some_and(|mark| mark.is_of(self.instance)))
    }
}

/// What to do with a CertificateSigningRequest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Approve it.
    Approve,
    /// It is approved: issue its certificate with the authority in this Secret, with
    /// [`certificate`](super::certificate()). If the Secret has no namespace, it is in that of the hub's controllers.
    Sign(SigningCa),
    /// Leave it alone.
    Ignore(Reason),
}

/// Decides what to do with a CertificateSigningRequest.
///
/// The same tests decide about the approval and about the signature of a custom signer, so a request that someone else
/// approved by mistake gets no certificate. If an object that a test needs is missing or unreadable, the test fails.
///
/// # Source
/// OCM `pkg/addon/templateagent` and `addon-framework` `csrapprove` and `csrsign`. Upstream compares the requester only by a
/// prefix, ignores usages, alternative names, the deletion of an add-on and the acceptance of a cluster, approves any third
/// group, and approves and signs everything for a custom signer.
pub fn decide(csr: &CertificateSigningRequest, evidence: Evidence<'_>) -> Decision {
    match judge(csr, evidence) {
        Ok(decision) => decision,
        Err(reason) => Decision::Ignore(reason),
    }
}

/// Returns the reason why a request needs no decision any more: it was denied, it failed, or it has its certificate.
pub fn closed(csr: &CertificateSigningRequest) -> Option<Reason> {
    let has = |kind: &&str| conditions(csr).any(|condition| condition.type_ == **kind);
    let certificate = csr.status.as_ref().and_then(|status| status.certificate.as_ref());
    let issued = || certificate.is_some_and(|bytes| !bytes.0.is_empty()).then_some(Reason::Issued);
    ["Denied", "Failed"].into_iter().find(has).map(Reason::Closed).or_else(issued)
}

fn conditions(csr: &CertificateSigningRequest) -> impl Iterator<Item = &CertificateSigningRequestCondition> {
    csr.status.iter().flat_map(|status| status.conditions.iter().flatten())
}

fn judge(csr: &CertificateSigningRequest, evidence: Evidence<'_>) -> Result<Decision, Reason> {
    if !csr.metadata.name.as_deref().is_some_and(|name| name.starts_with("addon")) {
        return Err(Reason::Name);
    }
    if let Some(reason) = closed(csr) {
        return Err(reason);
    }
    let is_approved = conditions(csr).any(|condition| condition.type_ == "Approved");
    let registration = accepted(csr, evidence)?;
    match registration.custom_signer {
        _ if !is_approved => Ok(Decision::Approve),
        Some(signer) if registration.type_ == "CustomSigner" => Ok(Decision::Sign(signer.signing_ca)),
        _ => Err(Reason::Approved(csr.spec.signer_name.clone())),
    }
}

/// Returns the registration that allows a request.
fn accepted(csr: &CertificateSigningRequest, evidence: Evidence<'_>) -> Result<TemplateRegistration, Reason> {
    let cluster: ClusterName = label(csr, key::CLUSTER_NAME)?;
    let addon: AddonName = label(csr, key::ADDON_NAME)?;
    let registrations = registrations(&addon, &cluster, evidence)?;
    let registration = registration(&registrations, &csr.spec.signer_name)?;
    requester::check(csr, &cluster)?;
    check_usages(&csr.spec)?;
    let request = Request::parse(&csr.spec.request.0)?;
    let agent = Agent { addon: &addon, cluster: &cluster };
    let subject = Subject::of(agent, registration).ok_or_else(|| Reason::Signer(csr.spec.signer_name.clone()))?;
    subject.check(&request)?;
    subject::check_alternative_names(agent, &request)?;
    Ok(registration.clone())
}

fn label<T: std::str::FromStr<Err = InvalidName>>(
    csr: &CertificateSigningRequest,
    key: &'static str,
) -> Result<T, Reason> {
    let value = csr.metadata.labels.as_ref().and_then(|labels| labels.get(key)).ok_or(Reason::NoLabel(key))?;
    value.parse().map_err(|invalid| Reason::Label(key, invalid))
}

/// Returns the registrations of an add-on on a cluster, if this instance manages it and neither is about to go.
fn registrations(
    addon: &AddonName,
    cluster: &ClusterName,
    evidence: Evidence<'_>,
) -> Result<Vec<TemplateRegistration>, Reason> {
    let fleet = evidence.fleet;
    let managed = fleet.clusters.get(cluster).ok_or_else(|| Reason::NoCluster(cluster.clone()))?;
    if !managed.spec.hub_accepts_client {
        return Err(Reason::NotAccepted(cluster.clone()));
    }
    let install = fleet.cluster_addons.get(addon.as_str()).and_then(|clusters| clusters.get(cluster));
    let install = install.ok_or_else(|| Reason::NoAddon(addon.clone(), cluster.clone()))?;
    if install.metadata.deletion_timestamp.is_some() {
        return Err(Reason::Deleting(addon.clone(), cluster.clone()));
    }
    let mark = Mark::of(&install.metadata);
    // An add-on that was on its cluster before Tidegate drove it has no mark.
    let is_ours = mark.as_ref().map_or_else(|| evidence.drives(addon), |mark| mark.is_of(evidence.instance));
    if !is_ours {
        let owner = mark.map_or_else(|| "no instance".to_owned(), |mark| mark.to_string());
        return Err(Reason::Owner(addon.clone(), cluster.clone(), owner));
    }
    let template = template_of(install, |_| (evidence.registrations)(addon, install)).map_err(Reason::Template)?;
    template.ok_or_else(|| Reason::NoTemplate(addon.clone(), cluster.clone()))
}

/// Returns the first registration for a signer.
fn registration<'a>(
    registrations: &'a [TemplateRegistration],
    signer: &str,
) -> Result<&'a TemplateRegistration, Reason> {
    let custom = |entry: &TemplateRegistration| {
        let custom = entry.custom_signer.as_ref().filter(|_| entry.type_ == "CustomSigner");
        custom.is_some_and(|custom| custom.signer_name == signer)
    };
    if signer.starts_with("kubernetes.io/") && registrations.iter().any(custom) {
        return Err(Reason::Reserved(signer.to_owned()));
    }
    let is_for = |entry: &&TemplateRegistration| custom(entry) || entry.type_ == "KubeClient" && signer == KUBE_SIGNER;
    registrations.iter().find(is_for).ok_or_else(|| Reason::Signer(signer.to_owned()))
}

fn check_usages(spec: &CertificateSigningRequestSpec) -> Result<(), Reason> {
    let other = spec.usages.iter().flatten().find(|usage| !USAGES.contains(&usage.as_str()));
    other.map_or(Ok(()), |usage| Err(Reason::Usage(usage.clone())))
}

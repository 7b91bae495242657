//! The subject that a registration gives an agent, compared with the one that a request asks for.

use std::collections::BTreeSet;

use x509_cert::ext::pkix::name::GeneralName;

use super::reason::Reason;
use super::request::Request;
use crate::Agent;
use tidegate_api::ocm::addon_template::TemplateRegistration;

/// Every authenticated user is in this group anyway.
const AUTHENTICATED: &str = "system:authenticated";

/// The subject that a registration gives the agent of an add-on on a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject {
    user: String,
    groups: Vec<String>,
    units: Vec<String>,
    /// Groups that a request may ask for, but need not.
    optional: &'static [&'static str],
}

impl Subject {
    /// Returns the subject of one registration of a template, or `None` if the registration is invalid.
    ///
    /// If the template sets the subject of a custom signer without a user, the agent asks for a default user, with the name of
    /// the add-on as the name of the agent.
    ///
    /// # Source
    /// OCM `pkg/registration/register`, the subject that the agent asks for.
    pub(super) fn of(agent: Agent<'_>, registration: &TemplateRegistration) -> Option<Self> {
        let registration = agent.registrations(std::slice::from_ref(registration)).pop()?;
        let Agent { addon, cluster } = agent;
        let named = |user: Option<String>| {
            let default = || format!("system:open-cluster-management:cluster:{cluster}:addon:{addon}:agent:{addon}");
            user.filter(|user| !user.is_empty()).unwrap_or_else(default)
        };
        if let Some(subject) = registration.custom_signer.map(|signer| signer.subject.unwrap_or_default()) {
            let user = named(subject.user);
            return Some(Self { user, groups: subject.groups, units: subject.organization_units, optional: &[] });
        }
        let subject = registration.kube_client?.subject?;
        let user = named(subject.user);
        Some(Self { user, groups: subject.groups, units: Vec::new(), optional: &[AUTHENTICATED] })
    }

    /// Checks that a request asks for exactly this subject.
    ///
    /// # Errors
    /// [`Reason::CommonName`], [`Reason::MissingGroup`], [`Reason::ExtraGroup`] and [`Reason::Units`].
    ///
    /// # Source
    /// OCM `pkg/addon/templateagent`, `KubeClientCSRApprover`, which accepts one more group of any name, and any subject for
    /// custom signers.
    pub(super) fn check(&self, request: &Request) -> Result<(), Reason> {
        if request.common_name != self.user {
            let (found, expected) = (request.common_name.clone(), self.user.clone());
            return Err(Reason::CommonName { found, expected });
        }
        if let Some(missing) = self.groups.iter().find(|group| !request.organizations.contains(group)) {
            return Err(Reason::MissingGroup(missing.clone()));
        }
        let is_extra = |group: &&String| !self.groups.contains(group) && !self.optional.contains(&group.as_str());
        if let Some(extra) = request.organizations.iter().find(is_extra) {
            return Err(Reason::ExtraGroup(extra.clone()));
        }
        let set = |units: &[String]| units.iter().cloned().collect::<BTreeSet<_>>();
        if set(&request.units) != set(&self.units) {
            return Err(Reason::Units { found: request.units.clone(), expected: self.units.clone() });
        }
        Ok(())
    }
}

/// Checks that the only alternative name in a request is `<add-on>.addon.open-cluster-management.io`, which agents ask for.
/// A certificate of a custom signer is also good for servers, so another name would let an agent act as any server.
///
/// # Errors
/// [`Reason::AlternativeName`].
///
/// # Source
/// OCM `pkg/registration/spoke/addon`, the DNS name that the agent asks for. Upstream's approver does not check it.
pub(super) fn check_alternative_names(agent: Agent<'_>, request: &Request) -> Result<(), Reason> {
    let expected = format!("{}.addon.open-cluster-management.io", agent.addon);
    let is_other =
        |name: &&GeneralName| !matches!(name, GeneralName::DnsName(name) if name.as_str() == expected.as_str());
    match request.alternative_names.iter().find(is_other) {
        Some(GeneralName::DnsName(name)) => {
            Err(Reason::AlternativeName { found: format!("{:?}", name.as_str()), expected })
        }
        Some(_) => Err(Reason::AlternativeName { found: "of another type".to_owned(), expected }),
        None => Ok(()),
    }
}

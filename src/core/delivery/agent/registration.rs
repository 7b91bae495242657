//! How the agent of an add-on registers on the hub.

use tidegate_api::ocm::addon_template::{SignerSubject, TemplateCustomSigner, TemplateRegistration};
use tidegate_api::ocm::managed_cluster_addon::{
    CustomSignerRegistration, CustomSignerSubject, KubeClientRegistration, KubeClientSubject, Registration,
};
use tidegate_model::name::{AddonName, ClusterName};

/// Type of a registration with the hub's API server, in the status of an add-on.
pub(super) const KUBE_CLIENT: &str = "kubeClient";
const CUSTOM_SIGNER: &str = "customSigner";

/// The agent of an add-on on a cluster.
#[derive(Debug, Clone, Copy)]
pub struct Agent<'a> {
    /// The add-on.
    pub addon: &'a AddonName,
    /// The cluster.
    pub cluster: &'a ClusterName,
}

impl Agent<'_> {
    /// Returns the registrations that a template asks for, in its order. Invalid entries are left out.
    ///
    /// # Source
    /// OCM `pkg/addon/templateagent`, `TemplateCSRConfigurationsFunc`.
    pub fn registrations(self, template: &[TemplateRegistration]) -> Vec<Registration> {
        let registration = |entry: &TemplateRegistration| match entry.type_.as_str() {
            "KubeClient" => Some(Registration {
                type_: KUBE_CLIENT.to_owned(),
                kube_client: Some(KubeClientRegistration { subject: Some(self.subject()), driver: String::new() }),
                custom_signer: None,
            }),
            "CustomSigner" => Some(Registration {
                type_: CUSTOM_SIGNER.to_owned(),
                kube_client: None,
                custom_signer: Some(self.custom_signer(entry.custom_signer.as_ref()?)),
            }),
            _ => None,
        };
        template.iter().filter_map(registration).collect()
    }

    /// Returns the registration for a custom signer. A subject in the template replaces the default one as a whole.
    fn custom_signer(self, signer: &TemplateCustomSigner) -> CustomSignerRegistration {
        let usual = || {
            let KubeClientSubject { user, groups } = self.subject();
            CustomSignerSubject { user, groups, organization_units: Vec::new() }
        };
        let given = |subject: &SignerSubject| CustomSignerSubject {
            user: subject.user.clone(),
            groups: subject.groups.clone(),
            organization_units: subject.organization_units.clone(),
        };
        CustomSignerRegistration {
            signer_name: signer.signer_name.clone(),
            subject: Some(signer.subject.as_ref().map_or_else(usual, given)),
        }
    }

    /// Returns the user and the groups that the hub assigns to the agent.
    fn subject(self) -> KubeClientSubject {
        let (one, all) = self.groups();
        KubeClientSubject { user: Some(self.user()), groups: vec![one, all] }
    }

    /// Returns the user of the agent, if it uses certificates.
    pub(super) fn user(self) -> String {
        format!("{}:agent:{}-agent", self.groups().0, self.addon)
    }

    /// Returns the group of the agents of the add-on on this cluster, and the one of its agents on all clusters.
    pub(super) fn groups(self) -> (String, String) {
        let Self { addon, cluster } = self;
        let one = format!("system:open-cluster-management:cluster:{cluster}:addon:{addon}");
        (one, format!("system:open-cluster-management:addon:{addon}"))
    }
}

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
                kube_client: Some(KubeClientRegistration {
                    subject: Some(self.subject(&format!("{}-agent", self.addon))),
                    driver: String::new(),
                }),
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
            let KubeClientSubject { user, groups } = self.subject(&format!("{}-agent", self.addon));
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

    /// Returns `status.registrations`: the wanted registrations, with the driver that the agent has declared in the
    /// observed ones.
    ///
    /// With driver `token` the agent defines its own subject; with any other driver, the hub does. Registrations are
    /// paired by their position among those of type `kubeClient`.
    ///
    /// # Source
    /// OCM addon-framework, `buildRegistrationConfigs`.
    pub fn merged_registrations(self, wanted: Vec<Registration>, observed: &[Registration]) -> Vec<Registration> {
        let mut observed = observed.iter().filter(|registration| registration.type_ == KUBE_CLIENT);
        let mut merged = wanted;
        for registration in merged.iter_mut().filter(|registration| registration.type_ == KUBE_CLIENT) {
            let client = registration.kube_client.get_or_insert_default();
            let counterpart = observed.next().and_then(|registration| registration.kube_client.as_ref());
            if let Some(declared) = counterpart.map(|observed| &observed.driver).filter(|driver| !driver.is_empty()) {
                client.driver.clone_from(declared);
            }
            match client.driver.as_str() {
                "token" => client.subject = counterpart.and_then(|observed| observed.subject.clone()),
                "csr" if client.subject.as_ref().is_none_or(is_empty) => {
                    client.subject = Some(self.subject(self.addon.as_str()));
                }
                _ => {}
            }
        }
        merged
    }

    /// Returns the user and the groups that the hub assigns to an agent of the given name.
    fn subject(self, agent: &str) -> KubeClientSubject {
        let Self { addon, cluster } = self;
        let all = format!("system:open-cluster-management:addon:{addon}");
        let one = format!("system:open-cluster-management:cluster:{cluster}:addon:{addon}");
        KubeClientSubject { user: Some(format!("{one}:agent:{agent}")), groups: vec![one, all] }
    }
}

fn is_empty(subject: &KubeClientSubject) -> bool {
    subject.user.as_deref().is_none_or(str::is_empty) && subject.groups.is_empty()
}

//! The registrations in the status of an add-on: those that its template asks for, merged with what its agent wrote there.
//!
//! An agent compares the whole entry with the one that its credentials are for. If anything in it changes, even the order of the groups,
//! the agent deletes its credentials and requests new ones.

use tidegate_api::ocm::managed_cluster_addon::{KubeClientRegistration, Registration};

use super::registration::KUBE_CLIENT;

/// The driver of an agent that authenticates with a token of a ServiceAccount. Such an agent writes its own subject.
pub(super) const TOKEN: &str = "token";

/// Returns the wanted registrations with the driver that the agent declared in the observed ones and, if it uses tokens, with the subject
/// that it wrote. Observed entries that are no longer wanted are dropped.
///
/// The entries for the hub's API server are matched by their order. A template always asks for a subject, so an agent that uses
/// certificates gets the wanted one.
///
/// # Source
/// OCM addon-framework, `pkg/addonmanager/controllers/registration`.
pub fn merged_registrations(mut wanted: Vec<Registration>, observed: &[Registration]) -> Vec<Registration> {
    let mut before = observed.iter().filter(|registration| registration.type_ == KUBE_CLIENT);
    for registration in wanted.iter_mut().filter(|registration| registration.type_ == KUBE_CLIENT) {
        let Some(known) = before.next().and_then(|before| before.kube_client.as_ref()) else { continue };
        let KubeClientRegistration { subject, driver } = registration.kube_client.get_or_insert_default();
        if !known.driver.is_empty() {
            driver.clone_from(&known.driver);
        }
        if driver == TOKEN {
            subject.clone_from(&known.subject);
        }
    }
    wanted
}

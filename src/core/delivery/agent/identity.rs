//! The names under which the hub knows the agent of an add-on: the subjects of its RoleBindings.

use k8s_openapi::api::rbac::v1::Subject;

use tidegate_api::key::RBAC_GROUP;
use tidegate_api::ocm::managed_cluster_addon::{KubeClientRegistration, KubeClientSubject, Registration};

use super::merge::TOKEN;
use super::registration::{Agent, KUBE_CLIENT};
use super::unpermitted::Unpermitted;

/// The subjects of the RoleBindings of an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Identities {
    /// The subjects in the namespace of its cluster: the agent of this cluster alone.
    pub own: Vec<Subject>,
    /// The subjects in other namespaces, whose bindings the agents of all clusters share.
    pub shared: Vec<Subject>,
}

impl Agent<'_> {
    /// Returns the identities of the agent. They consist of the names of the add-on and the cluster; the status of the add-on, which the
    /// agent can change, only decides whether the agent uses certificates or tokens.
    ///
    /// # Errors
    /// [`Unpermitted::NoSubject`] if the status has no subject yet.
    ///
    /// # Source
    /// OCM `pkg/addon/templateagent`, `TemplatePermissionConfigFunc`, which binds whatever the status names, in every namespace.
    pub fn identities(self, registrations: &[Registration]) -> Result<Identities, Unpermitted> {
        let client = first_client(registrations).ok_or(Unpermitted::NoSubject)?;
        client.subject.as_ref().ok_or(Unpermitted::NoSubject)?;
        if client.driver == TOKEN {
            let account = vec![subject("User", &self.account())];
            return Ok(Identities { own: account.clone(), shared: account });
        }
        let (one, all) = self.groups();
        let user = subject("User", &self.user());
        Ok(Identities { own: vec![user, subject("Group", &one)], shared: vec![subject("Group", &all)] })
    }

    /// Returns the user name of the ServiceAccount with whose tokens the agent authenticates.
    fn account(self) -> String {
        format!("system:serviceaccount:{}:{}-agent", self.cluster, self.addon)
    }
}

impl Identities {
    /// Returns the identities that upstream takes from the status of an add-on, to compare the two.
    ///
    /// # Errors
    /// [`Unpermitted::NoSubject`] if the status names no one.
    ///
    /// # Source
    /// OCM `pkg/addon/templateagent`, `buildSubjects`.
    pub fn of_upstream(registrations: &[Registration]) -> Result<Self, Unpermitted> {
        let known = first_client(registrations).and_then(|client| client.subject.as_ref());
        let KubeClientSubject { user, groups } = known.ok_or(Unpermitted::NoSubject)?;
        let user = user.as_deref().filter(|user| !user.is_empty()).map(|user| subject("User", user));
        let groups = groups.iter().filter(|group| *group != "system:authenticated");
        let all: Vec<Subject> = user.into_iter().chain(groups.map(|group| subject("Group", group))).collect();
        if all.is_empty() { Err(Unpermitted::NoSubject) } else { Ok(Self { own: all.clone(), shared: all }) }
    }
}

/// Returns the first registration with the hub's API server.
fn first_client(registrations: &[Registration]) -> Option<&KubeClientRegistration> {
    registrations.iter().find(|registration| registration.type_ == KUBE_CLIENT)?.kube_client.as_ref()
}

fn subject(kind: &str, name: &str) -> Subject {
    Subject { api_group: Some(RBAC_GROUP.to_owned()), kind: kind.to_owned(), name: name.to_owned(), namespace: None }
}

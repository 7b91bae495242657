//! The requester of a CertificateSigningRequest: it must be the agent of the cluster that the request names.

use k8s_openapi::api::certificates::v1::CertificateSigningRequest;

use tidegate_model::name::ClusterName;

use super::reason::Reason;

/// The server that relays the requests of agents that are connected by gRPC.
const RELAY: &str = "system:serviceaccount:open-cluster-management-hub:grpc-server-sa";
/// Annotation of a relayed request: the agent.
const RELAYED_USER: &str = "open-cluster-management.io/csr-user";

/// Checks that the agent of a cluster created a request: its user is `system:open-cluster-management:<cluster>:<agent>`, and
/// it is in the group `system:open-cluster-management:<cluster>`. A relayed request has the groups of the relay, which are not
/// those of the agent, so its groups are not checked.
///
/// # Errors
/// [`Reason::Requester`] and [`Reason::RequesterGroup`].
///
/// # Source
/// OCM `pkg/addon/templateagent`, `KubeClientCSRApprover`, which compares only a prefix of the user without a separator: it
/// accepts the agent of cluster `east-2` as that of `east`. It does not check groups, and does not check custom signers at all.
pub(super) fn check(csr: &CertificateSigningRequest, cluster: &ClusterName) -> Result<(), Reason> {
    let user = csr.spec.username.as_deref().unwrap_or_default();
    let is_relayed = user == RELAY;
    let annotation = || csr.metadata.annotations.as_ref()?.get(RELAYED_USER).map(String::as_str);
    let requester = if is_relayed { annotation().unwrap_or_default() } else { user };
    let group = format!("system:open-cluster-management:{cluster}");
    let agent = requester.strip_prefix(&group).and_then(|rest| rest.strip_prefix(':'));
    if !agent.is_some_and(|agent| !agent.is_empty() && !agent.contains(':')) {
        return Err(Reason::Requester { requester: requester.to_owned(), cluster: cluster.clone() });
    }
    if is_relayed || csr.spec.groups.iter().flatten().any(|member| *member == group) {
        return Ok(());
    }
    Err(Reason::RequesterGroup(group))
}

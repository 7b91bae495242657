//! The reasons why a CertificateSigningRequest is left alone.

use tidegate_model::name::{AddonName, ClusterName, InvalidName};

use super::request::Malformed;
use crate::Unreferenced;

/// The reason why a CertificateSigningRequest is neither approved nor signed. Completes the phrase "left alone, because".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The request is not for the agent of an add-on.
    #[error("its name does not start with `addon`")]
    Name,
    /// The request has the condition `Denied` or `Failed`.
    #[error("it has the condition {0}")]
    Closed(&'static str),
    /// The request is approved, and another component signs it.
    #[error("it is approved, and signer {0} issues its certificate")]
    Approved(String),
    /// The request has its certificate.
    #[error("it has its certificate")]
    Issued,
    /// A label is missing.
    #[error("it has no label {0}")]
    NoLabel(&'static str),
    /// The value of a label cannot be the name of an object.
    #[error("its label {0}: {1}")]
    Label(&'static str, InvalidName),
    /// The cluster does not exist on the hub.
    #[error("cluster {0} does not exist")]
    NoCluster(ClusterName),
    /// The hub has not accepted the cluster.
    #[error("the hub has not accepted cluster {0}")]
    NotAccepted(ClusterName),
    /// The cluster does not have the add-on.
    #[error("add-on {0} does not exist on cluster {1}")]
    NoAddon(AddonName, ClusterName),
    /// The add-on is being deleted from the cluster.
    #[error("add-on {0} is being deleted from cluster {1}")]
    Deleting(AddonName, ClusterName),
    /// The add-on of the cluster does not belong to this instance.
    #[error("add-on {0} on cluster {1} belongs to {2}")]
    Owner(AddonName, ClusterName, String),
    /// The add-on has no AddOnTemplate.
    #[error("add-on {0} on cluster {1} has no AddOnTemplate")]
    NoTemplate(AddonName, ClusterName),
    /// The AddOnTemplate is not available.
    #[error("{0}")]
    Template(Unreferenced),
    /// The template does not register the agent with this signer.
    #[error("the template has no registration for signer {0}")]
    Signer(String),
    /// The template gives a signer of Kubernetes as its own signer, for which it could name any subject.
    #[error("the template has a CustomSigner named {0}, and Kubernetes reserves the domain kubernetes.io")]
    Reserved(String),
    /// The requester is not the agent of the cluster.
    #[error("its requester {requester:?} is not the agent of cluster {cluster}")]
    Requester {
        /// The user that created the request.
        requester: String,
        /// The cluster that the request names.
        cluster: ClusterName,
    },
    /// The requester is not in the group of the cluster's agent.
    #[error("its requester is not in group {0}")]
    RequesterGroup(String),
    /// A usage that the certificate of an agent does not need.
    #[error("it asks for usage {0:?}")]
    Usage(String),
    /// The PKCS#10 request cannot be read.
    #[error("{0}")]
    Malformed(#[from] Malformed),
    /// The subject has another common name.
    #[error("its common name is {found:?}, and the registration has {expected:?}")]
    CommonName {
        /// The common name of the request.
        found: String,
        /// The user of the registration.
        expected: String,
    },
    /// The subject lacks a group of the registration.
    #[error("it does not ask for group {0:?}")]
    MissingGroup(String),
    /// The subject has a group that is not in the registration.
    #[error("it asks for group {0:?}, which the registration does not have")]
    ExtraGroup(String),
    /// The subject has other organizational units.
    #[error("its organizational units are {found:?}, and the registration has {expected:?}")]
    Units {
        /// The units of the request.
        found: Vec<String>,
        /// The units of the registration.
        expected: Vec<String>,
    },
    /// An alternative name other than the add-on's.
    #[error("it asks for the alternative name {found}, and only DNS name {expected:?} is allowed")]
    AlternativeName {
        /// The name of the request.
        found: String,
        /// The only DNS name that agents ask for.
        expected: String,
    },
}

impl Reason {
    /// Returns `true` if the request looks like one of an agent of this instance and asks for something that the agent must not have,
    /// or cannot get. The others wait for another component, or are done.
    pub fn is_remarkable(&self) -> bool {
        match self {
            Self::Name | Self::Closed(_) | Self::Approved(_) | Self::Issued => false,
            Self::NoLabel(_) | Self::Label(..) | Self::NoCluster(_) | Self::NotAccepted(_) => false,
            Self::NoAddon(..) | Self::Deleting(..) | Self::Owner(..) | Self::NoTemplate(..) | Self::Signer(_) => false,
            Self::Template(_) | Self::Reserved(_) | Self::Requester { .. } | Self::RequesterGroup(_) => true,
            Self::Usage(_) | Self::Malformed(_) | Self::CommonName { .. } | Self::MissingGroup(_) => true,
            Self::ExtraGroup(_) | Self::Units { .. } | Self::AlternativeName { .. } => true,
        }
    }
}

//! A CertificateSigningRequest after its decision, as it is written to the subresources of the hub.

use k8s_openapi::ByteString;
use k8s_openapi::api::certificates::v1::{CertificateSigningRequest, CertificateSigningRequestCondition};
use serde_json::json;

use tidegate_api::key::CERTIFICATES_GROUP;
use tidegate_model::action::{Subresource, Write};
use tidegate_model::object::ObjectKey;

/// Returns a request with the condition `Approved`, for its subresource `approval`. The API server sets the times.
///
/// # Source
/// OCM `addon-framework` `csrapprove`, with its reason and message.
pub fn approved(csr: &CertificateSigningRequest) -> CertificateSigningRequest {
    let mut csr = csr.clone();
    csr.status.get_or_insert_default().conditions.get_or_insert_default().push(CertificateSigningRequestCondition {
        type_: "Approved".to_owned(),
        status: "True".to_owned(),
        reason: Some("AutoApprovedByHubCSRApprovingController".to_owned()),
        message: Some("Auto approving addon agent certificate.".to_owned()),
        ..CertificateSigningRequestCondition::default()
    });
    csr
}

/// Returns a request with its certificate as PEM, for its subresource `status`.
pub fn issued(csr: &CertificateSigningRequest, pem: String) -> CertificateSigningRequest {
    let mut csr = csr.clone();
    csr.status.get_or_insert_default().certificate = Some(ByteString(pem.into_bytes()));
    csr
}

/// Returns the write that replaces a subresource of a request. `metadata.managedFields` is left to the API server.
pub fn replaced(subresource: Subresource, mut csr: CertificateSigningRequest) -> Write {
    csr.metadata.managed_fields = None;
    Write::Replace { subresource, object: json!(csr) }
}

/// Returns the key of a request.
pub fn key_of(csr: &CertificateSigningRequest) -> ObjectKey {
    let name = csr.metadata.name.as_deref().unwrap_or_default();
    ObjectKey::new(CERTIFICATES_GROUP, "CertificateSigningRequest", "", name)
}

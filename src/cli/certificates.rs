//! The certificates that the access to the hub depends on.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::cli::args::HubArgs;
use crate::cli::compose;
use crate::doctor::Unknown;
use crate::doctor::facts::Certificate;
use tidegate_daemon::monitor::tls::pem_expiration;
use tidegate_model::time::Timestamp;

/// Returns when the client certificate of a kubeconfig expires. Returns `None` if it has no certificate or an unreadable one.
pub(in crate::cli) async fn expiration_of_access(args: &HubArgs) -> Option<Timestamp> {
    let config = compose::access(args).await.ok()?;
    let certificate = of_access(&config).into_iter().next()?;
    let report = |why: &Unknown| tracing::warn!("{}: {why}; no metric shows when it expires", certificate.of);
    certificate.ends.inspect_err(report).ok()
}

/// Returns the client certificate of a kubeconfig, if it has one.
pub(in crate::cli) fn of_access(config: &kube::Config) -> Vec<Certificate> {
    let access = &config.auth_info;
    let of = "the client certificate of the kubeconfig".to_owned();
    let unreadable = |why: String| Err(Unknown::Unreadable { why });
    let pem = match (&access.client_certificate_data, &access.client_certificate) {
        (Some(data), _) => decoded(data).ok_or_else(|| Unknown::Unreadable { why: "it is not base64".to_owned() }),
        (None, Some(path)) => {
            std::fs::read_to_string(path).or_else(|error| unreadable(format!("{path} cannot be read: {error}")))
        }
        (None, None) => return Vec::new(),
    };
    vec![Certificate { of, ends: pem.and_then(|pem| ends(&pem)) }]
}

/// Returns the certificate with which the hub verifies the conversion webhook of a CRD, if it has one.
pub(in crate::cli) fn of_webhook(crd: &Value) -> Option<Certificate> {
    let bundle = crd.pointer("/spec/conversion/webhook/clientConfig/caBundle")?.as_str()?;
    let name = crd.pointer("/metadata/name")?.as_str()?;
    let of = format!("the CA of the conversion webhook of {name}");
    let pem = decoded(bundle).ok_or_else(|| Unknown::Unreadable { why: "it is not base64".to_owned() });
    Some(Certificate { of, ends: pem.and_then(|pem| ends(&pem)) })
}

fn decoded(text: &str) -> Option<String> {
    String::from_utf8(STANDARD.decode(text.trim()).ok()?).ok()
}

fn ends(pem: &str) -> Result<Timestamp, Unknown> {
    pem_expiration(pem).ok_or_else(|| Unknown::Unreadable { why: "it is not a certificate in PEM format".to_owned() })
}

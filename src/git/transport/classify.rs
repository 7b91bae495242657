//! Classifies a failed conversation with a remote by who can fix it.

use super::http::is_transient_response;
use crate::Error;

/// How rustls 0.23 starts the message about a certificate that it does not accept. The errors between hide the type.
const BAD_CERTIFICATE: &str = "invalid peer certificate";

/// What rustls-platform-verifier 0.7 says if the system has no certificates of authorities.
const NO_AUTHORITIES: &str = "No CA certificates were loaded";

/// Returns the error for a failed conversation. `message` is what the remote said, if anything.
pub(super) fn classify(url: String, message: String, source: gix::Error) -> Error {
    let causes = format!("{source:?}");
    if causes.contains(NO_AUTHORITIES) {
        Error::NoAuthorities { url, source }
    } else if causes.contains(BAD_CERTIFICATE) {
        Error::Certificate { url, source }
    } else if source.is_unauthenticated() || source.is_permission_denied() {
        Error::Unauthorized { url, message, source }
    } else if source.can_retry_lenient() || is_transient_response(&source) {
        Error::Unreachable { url, message, source }
    } else {
        Error::Remote { url, message, source }
    }
}

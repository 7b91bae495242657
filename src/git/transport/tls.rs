//! The TLS provider of the process.

/// Makes ring the TLS provider of the process, unless one is already installed.
///
/// rustls has one provider for the whole process, and the HTTP client panics without one. A program calls this at its start,
/// so that all its TLS clients use the same provider. Conversations over HTTP call it, too, so that a program or test that
/// does not call it works as well.
pub fn install_tls_provider() {
    // The only error is that one is already installed: the first installation wins.
    rustls::crypto::ring::default_provider().install_default().ok();
}

//! A socket on which connections may be encrypted.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use rustls::crypto::ring::default_provider;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;

use super::certificate::{Files, InvalidCertificate};
use tidegate_model::time::Timestamp;

/// The first byte of a TLS connection. No request of HTTP starts with it.
///
/// # Source
/// RFC 8446 section 5.1: the content type `handshake`.
const HANDSHAKE: u8 = 0x16;

/// How often the files of a certificate are looked at.
const LOOKS: Duration = Duration::from_secs(10);

/// TLS with a certificate, whose files may be renewed.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    files: Arc<Files>,
}

impl Tls {
    /// Returns TLS with a certificate and its key, which must be usable now.
    ///
    /// # Errors
    /// [`InvalidCertificate`] if they are not.
    ///
    /// # Panics
    /// Never: the versions of TLS are those of the provider.
    pub fn new(certificate: PathBuf, key: PathBuf) -> Result<Self, InvalidCertificate> {
        let files = Arc::new(Files::new(certificate, key)?);
        let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .expect("the provider supports the default versions");
        let mut config = config.with_no_client_auth().with_cert_resolver(files.clone());
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), files })
    }

    /// Returns when the certificate expires; `None` if that cannot be read.
    pub fn expires(&self) -> Option<Timestamp> {
        self.files.expires()
    }

    /// Reads the files of the certificate again. The last pair stays in use if they cannot be used. Blocks.
    pub fn refresh(&self) {
        self.files.refresh();
    }

    /// Reads the files of the certificate every ten seconds, forever.
    pub(crate) async fn watch(self) {
        loop {
            tokio::time::sleep(LOOKS).await;
            let tls = self.clone();
            // A volume may hang.
            if tokio::task::spawn_blocking(move || tls.refresh()).await.is_err() {
                return;
            }
        }
    }
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tls").field("files", &self.files).finish_non_exhaustive()
    }
}

/// A socket that accepts connections, with TLS if it has a certificate.
#[derive(Debug)]
pub struct Socket {
    /// The socket.
    pub listener: TcpListener,
    /// The certificate; `None` if connections are never encrypted.
    pub tls: Option<Tls>,
}

impl From<TcpListener> for Socket {
    fn from(listener: TcpListener) -> Self {
        Self { listener, tls: None }
    }
}

/// A connection: plain, or encrypted.
pub(crate) type Stream = Either<TcpStream, TlsStream<TcpStream>>;

/// Returns a connection after its handshake, if it begins with one.
///
/// # Errors
/// The handshake failed, or the connection has ended.
pub(crate) async fn accept(stream: TcpStream, tls: Option<&Tls>) -> io::Result<Stream> {
    let Some(tls) = tls else { return Ok(Either::Left(stream)) };
    let mut first = [0];
    stream.peek(&mut first).await?;
    match first {
        [HANDSHAKE] => Ok(Either::Right(tls.acceptor.accept(stream).await?)),
        _ => Ok(Either::Left(stream)),
    }
}

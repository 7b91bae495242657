//! TLS: the certificate of a server, and when certificates expire.

mod certificate;
pub mod metrics;
mod pem;
mod server;

pub use certificate::InvalidCertificate;
pub use pem::pem_end;
pub use server::{Socket, Tls};
pub(super) use server::{Stream, opened};

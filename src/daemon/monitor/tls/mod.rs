//! TLS of a server: its certificate, and when certificates expire.

mod certificate;
mod expiration;
pub mod metrics;
mod server;

pub use certificate::InvalidCertificate;
pub use expiration::pem_expiration;
pub use server::{Socket, Tls};
pub(super) use server::{Stream, accept};

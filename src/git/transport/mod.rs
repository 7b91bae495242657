//! How a remote is reached: its address, credentials, proxies and certificates, and one conversation with it.

mod classify;
mod connection;
mod credentials;
mod deadline;
mod http;
mod proxy;
mod public;
mod remote;
mod ssh;
mod timeouts;
mod tls;

pub(crate) use connection::{BoxedTransport, Connection};
pub use credentials::Credentials;
pub use http::http_client;
pub use proxy::Proxies;
pub use public::{PublicOnly, is_private};
pub use remote::Remote;
pub use ssh::check_private_key;
pub use timeouts::Timeouts;
pub use tls::install_tls_provider;

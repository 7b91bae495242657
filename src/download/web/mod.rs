//! Downloads over HTTP: which addresses are contacted, with which credentials, and how much is read.

mod address;
mod body;
mod client;
mod credentials;

pub use address::Reach;
pub(crate) use address::{Target, is_loopback};
pub(crate) use body::is_page;
pub(crate) use client::{Authorization, Reply, Web};
pub use credentials::{Credentials, InvalidCredentials, InvalidNetrc};

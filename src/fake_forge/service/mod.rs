//! Requests and what a forge sends for them, with or without a connection.

mod dispatch;
mod respond;
mod server;
mod shared;

pub use respond::HungUp;
pub(crate) use respond::call;
pub(crate) use server::serve;
pub(crate) use shared::Shared;

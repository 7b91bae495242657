//! The web server of a forge.

mod dispatch;
mod server;
mod shared;

pub(crate) use server::serve;
pub(crate) use shared::Shared;

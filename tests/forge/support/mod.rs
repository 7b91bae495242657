//! A server that answers as a test says, and clients for it.

mod server;
mod setup;

pub(crate) use server::{Answer, Seen, Server};
pub(crate) use setup::{Setup, TOKEN, commit, pull, setup};

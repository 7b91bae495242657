//! The HTTP service of the hub.

mod answer;
mod body;
mod call;
mod describe;
mod dispatch;
mod watch;

pub(crate) use dispatch::router;

//! The hub as an HTTP service: requests in, answers and watches out.

mod answer;
mod body;
mod call;
mod describe;
mod dispatch;
mod watch;

pub(crate) use dispatch::router;

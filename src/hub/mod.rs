//! The edge to a Kubernetes hub: watches in, writes out.
//!
//! Owns the connection: which kinds the hub serves and in which version, one list-and-watch task for each of them, the state that
//! they feed, and the carrying out of [`Lane`](tidegate_model::action::Lane)s. It decides nothing and knows no logic: objects become an
//! [`api::fleet::Fleet`](tidegate_api::fleet::Fleet), intended writes become requests.
//!
//! - Everything of the add-on group is v1beta1 on this side of the edge, whatever the hub stores; no conversion webhook is needed.
//! - Nothing is read on the hot path: observing costs a pointer, and the answers to our own writes are observed at once.
//! - Each write is one request, so that a shutdown in the middle leaves nothing half done.

mod act;
mod call;
mod connection;
mod discovery;
mod error;
mod event;
mod health;
mod kind;
mod list;
mod metrics;
mod observed;
mod resource;
mod retry;
mod session;
mod state;
mod watch;
mod write;

pub use act::{Failure, Outcome};
pub use connection::{Hub, Options};
pub use error::Error;
pub use health::Health;
pub use metrics::{Metrics, Verb};
pub use observed::Observed;
pub use retry::jitter;
pub use state::{Listing, Mark, Seen, State};

//! The connection to a Kubernetes hub: watches in, writes out.
//!
//! It owns the discovery of kinds and versions, one list-and-watch task for each kind, the state that they feed, and the
//! execution of [`Lane`](tidegate_model::action::Lane)s. It makes no decisions: objects become an
//! [`api::fleet::Fleet`](tidegate_api::fleet::Fleet), intended writes become requests.
//!
//! - Inside of Tidegate, objects of the add-on group are always v1beta1, whatever the hub stores; no conversion webhook is needed.
//! - Nothing is read on the hot path: observing costs a pointer copy, and the answers to our own writes are observed at once.
//! - Each write is one request, so a shutdown in the middle leaves nothing half done.

mod answer;
mod clock;
mod connection;
mod error;
mod guard;
mod health;
mod kind;
mod known;
mod metrics;
mod request;
mod session;
mod watch;

pub use self::request::act::{Failure, Outcome};
pub use self::request::retry::jitter;
pub use crate::hub::known::observed::Observed;
pub use crate::hub::known::state::{Listing, Mark, Seen, State};
pub use connection::{Hub, Options};
pub use error::Error;
pub use guard::Condition;
pub use health::Health;
pub use metrics::{Metrics, Verb};

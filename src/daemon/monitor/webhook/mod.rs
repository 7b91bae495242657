//! `POST /webhook`: a forge reports a push.
//!
//! A webhook only means "poll Git now". Its content is not used, so a webhook that is replayed, or forged by someone who knows the
//! secret, only causes one poll; and polls are at most one every two seconds. A sender who does not know the secret is refused
//! before anything is done.

mod gather;
mod proof;
mod receive;
mod secret;

pub use gather::{GAP, Looks};
pub use receive::Webhook;
pub(super) use receive::{Receiver, receive};

//! Notifications: the news of [`super::news`] for people who look neither at the log nor at the hub.
//!
//! ```text
//! news of a tick --notice--> dispatch (none twice) --queue--> deliver (not too many, with retries) --transport--> receiver
//! ```
//!
//! Decisions are pure: [`Memory`] knows what was sent, [`Budget`] how much may be sent, [`judge`] what an answer means, and
//! `message` writes the requests. Queues are bounded, and nothing here delays a tick. What was sent before a restart follows from
//! the journal: the first tick reports only what differs from it.

mod answer;
mod budget;
mod deliver;
mod dispatch;
mod event;
mod memory;
pub mod message;
mod metrics;
mod notice;
mod receiver;
mod transport;

pub use answer::{Verdict, judge};
pub use budget::Budget;
pub use deliver::Sender;
pub use dispatch::{QUEUE, dispatch};
pub use event::Event;
pub use memory::Memory;
pub use metrics::{Metrics, Outcome};
pub use notice::{Notice, State, notices, test};
pub use receiver::{Address, InvalidAddress, NoSecret, Protocol, Receiver, Secrets, parse_address};
pub use transport::Transport;

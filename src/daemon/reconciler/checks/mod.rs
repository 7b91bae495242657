//! The measurements that checks of policies make on servers, beside the ticks.
//!
//! A plan says what is to be measured and when. The task `checks` asks the servers, and its observations are an input of the next plan:
//!
//! ```text
//! tick --requests--> measure --GET--> server
//!   ^--observations----+
//! ```
//!
//! Only servers that the configuration of the daemon allows are asked: the repository must not make the daemon call any address.

mod allowed;
mod exchange;
mod measure;
mod server;

pub use self::allowed::{Allowed, Forbidden, InvalidOrigin};
pub(super) use self::exchange::{Exchange, exchange};
pub(super) use self::measure::measure;
pub use self::server::{Servers, Unmeasured};

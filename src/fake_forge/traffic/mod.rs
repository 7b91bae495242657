//! What happens to requests before and after they are answered: failures, the limit, and the log.

mod faults;
mod limits;

pub(crate) use crate::log::Log;
pub use crate::log::RequestRecord;
pub(crate) use faults::Faults;
pub use faults::{Fault, Gate, Matcher};
pub use limits::RateLimit;
pub(crate) use limits::Usage;

//! What the forge remembers: accounts, pull requests, and what clients wrote.

mod account;
mod pull;
mod records;
mod store;

pub(crate) use account::{Account, App, Team, Token};
pub use account::{Role, Scope};
pub use pull::{PullRecord, PullStatus, ReviewRecord, Verdict, VersionRecord};
pub(crate) use records::PushRecord;
pub use records::{CheckRunRecord, CommentRecord, DeploymentRecord, DeploymentState, StatusRecord};
pub(crate) use store::Store;

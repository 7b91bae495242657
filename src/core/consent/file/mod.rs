//! Files of approvals: how they are read and written, and which commits added and withdrew their entries.

mod document;
mod path;
mod read;
mod request;
mod schema;
mod trail;
mod write;

pub use document::{Approval, Entry};
pub use path::{DIRECTORY, path};
pub use read::read;
pub use request::request;
pub use schema::schema;
pub use trail::{Evidence, Trail, facts};
pub use write::{with, without};

//! Turns a running hub into a repository: the objects that people declare become files, without what the hub added to them.
//!
//! [`adopt`] reads a snapshot of the hub and returns files; it writes nothing. A repository that consists of these files declares what
//! the hub already has, so a daemon that follows it only adds its marks to the objects, and then has nothing to write for them.
//!
//! ```text
//! fleet --select--> objects to declare --clean--> declarations --layout--> files
//!             |
//!             +---> objects that are left out, each with a reason
//! ```

mod bindings;
mod clean;
mod files;
mod found;
mod layout;
mod left_out;
mod obstacle;
mod roles;
mod select;
mod settings;
mod warning;

pub use files::{Adoption, adopt};
pub use left_out::{LeftOut, Reason};
pub use roles::roles;

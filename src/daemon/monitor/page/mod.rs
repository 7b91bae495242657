//! The page: reads the journal while there are readers, renders each view once for each entry, and serves it read-only.

mod access;
mod archive;
mod asked;
mod body;
mod pages;
mod proxy;
mod rendered;
mod routes;

pub use access::{Access, InvalidToken};
pub use archive::{Archive, Unavailable};
pub use asked::no_entry;
pub use pages::Pages;
pub use proxy::{InvalidProxy, Proxy};
pub use routes::{beside, router};

//! The lock file: what is vendored, from where, and the hash of its files.

mod read;
mod types;
mod write;

pub use self::types::{Entry, Lock, VendoredChart, VendoredDirectory, VendoredFile, What};

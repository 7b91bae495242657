//! The lock file: what is vendored, from where, and the hash of its files.

mod applications;
mod read;
mod reader;
mod types;
mod write;

pub use self::types::{Entry, Lock, VendoredApplication, VendoredChart, VendoredDirectory, VendoredFile, What};

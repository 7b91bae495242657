//! The handle through which tests and demos use a forge.

mod error;
mod people;
mod sandbox;
mod scenario;

pub use error::ForgeError;
pub use sandbox::ForgeSandbox;

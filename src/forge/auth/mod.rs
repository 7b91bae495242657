//! The token that requests carry, and where it comes from.

mod app;
mod jwt;
mod pem;
mod source;
mod token_file;

pub(crate) use app::app_account;
pub(crate) use source::TokenSource;

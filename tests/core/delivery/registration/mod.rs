//! Tests of the certificates of add-on agents.

mod builders;
mod mutations;
mod requests;
mod signing;

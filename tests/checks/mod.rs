//! Tests of requests to servers, most of which do not behave.

pub(crate) mod counterpart;
mod requests;

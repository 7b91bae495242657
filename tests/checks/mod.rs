//! Tests of requests to servers, most of which do not behave.

mod counterpart;
mod requests;

//! Requests for the API: who sends them, what they contain, and pages of answers.

mod access;
mod call;
mod exchange;
mod paging;

pub(crate) use access::{BadToken, caller, token};
pub(crate) use call::{Answer, Call, Outcome, Stop};
pub(crate) use exchange::{Exchange, id};
pub(crate) use paging::{Page, Sizes, decoded, encoded};

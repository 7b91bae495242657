//! What is said in a conversation with a remote: which refs and objects are requested, and which are sent.

pub(crate) mod fetch;
pub(crate) mod push;

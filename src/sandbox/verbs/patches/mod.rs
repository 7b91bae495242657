//! The patch formats that are applied to an object, apart from server-side apply and RFC 7386.

pub(super) mod json_patch;
pub(super) mod strategic;

//! Watches: what is known of each kind, and how it is kept up to date.

pub(super) mod observed;
pub(super) mod run;
pub(super) mod state;

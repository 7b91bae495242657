//! Reads the files of a revision: documents, their nodes with places, and the objects in them.

pub(super) mod builtin;
pub(super) mod charts;
pub(super) mod document;
pub(super) mod file;
pub(super) mod kinds;
pub(super) mod local_charts;
pub(super) mod misplaced;
pub(super) mod notes;
pub(super) mod object;
pub(super) mod origin;
pub(super) mod policy_file;
pub(super) mod rendered;
pub(super) mod token;
pub(super) mod unreadable;

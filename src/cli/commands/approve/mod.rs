//! `tidegate approve`: commits an approval, signed with the user's key.

mod file;
mod run;
mod subject;
mod void;

pub(crate) use file::document;
pub(crate) use run::run;

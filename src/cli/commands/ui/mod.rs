//! `tidegate ui`: the page, from a journal alone, served on this machine or written as files.

mod archive;
mod daemon;
mod export;
mod run;

pub(crate) use archive::JournalArchive;
pub(crate) use daemon::{daemon_page, page_tls};
pub(crate) use run::run;

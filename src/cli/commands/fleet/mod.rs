//! `tidegate fleet`: every add-on on every cluster, from the journal, a file or a hub.

pub(crate) mod origin;
mod run;
mod words;

pub(in crate::cli) use self::run::run;

//! `tidegate mcp`: answers the questions of an assistant from a journal, over standard input and output.

mod protocol;
mod run;
mod tools;

pub(crate) use run::run;

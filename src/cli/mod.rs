//! The command line: one file per command, and `wire`, which connects the parts.

mod age;
pub mod archive;
pub mod args;
pub mod around;
pub mod bars;
pub mod blame;
mod cluster_table;
mod config;
pub mod crds;
pub mod demo;
pub mod directory;
pub mod examples;
pub mod explain;
pub mod failure;
pub mod history;
pub mod journal;
pub mod oracle;
pub mod overlay;
pub mod render;
mod render_cluster;
pub mod run;
pub mod sandbox;
pub mod say;
pub mod schema;
pub mod screen;
pub mod status;
pub mod timeline;
pub mod validate;
pub mod verify;
pub mod wire;

mod entry;

pub use entry::main;

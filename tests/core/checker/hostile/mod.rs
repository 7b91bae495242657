//! Histories of a config repository by people who may push and may not approve.

mod attacks;
mod content;
mod history;
mod properties;
mod repository;
mod tree;
mod votes;
mod world;

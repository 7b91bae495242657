//! The placement scheduler through its public face.

mod condition;
mod fixture;
mod group;
mod misconfigured;
mod property;
mod read;
mod score;
mod selection;
mod write;

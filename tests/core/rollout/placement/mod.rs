//! Tests of the placement scheduler through its public interface.

mod condition;
mod example;
mod fixture;
mod group;
mod misconfigured;
mod not_selected;
mod property;
mod read;
mod score;
mod selection;
mod write;

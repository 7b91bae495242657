//! Rehearsals of rollouts.

mod budget;
mod draws;

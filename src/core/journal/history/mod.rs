//! The history of every rollout, as a journal has it, and the events outside of rollouts.

mod event;
mod record;
mod story;

pub use event::{Event, Events, What};
pub use record::{History, Missing, Wanted};
pub use story::{GroupStory, Reach, Story, is_reached, reach, seconds};

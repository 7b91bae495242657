//! What the recorded cases leave out: the door for cases answers these as well.

mod controller;
mod rollout;
mod spec_hash;

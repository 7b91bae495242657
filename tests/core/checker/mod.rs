//! Tests of `checker`: for every rule a sequence of observations that breaks it, and one that comes close.

mod doubt;
mod evidence;
mod order;
mod scene;

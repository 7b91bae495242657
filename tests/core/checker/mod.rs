//! Tests of `checker`: for every rule, one sequence of observations that breaks it and one that almost does.

mod doubt;
mod evidence;
mod gates;
mod guards;
mod order;
mod scene;

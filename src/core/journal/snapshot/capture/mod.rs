//! From the fleet as observed to its document.

mod clusters;
mod configurations;
mod fleet;
mod hub;
mod installed;
mod marks;

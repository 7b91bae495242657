//! Recordings: what every plan of a daemon was made from, in a file that can be played again elsewhere.
//!
//! # Format
//! A recording is a sequence of [gzip] members. Each one has a [CBOR] item: a start of the daemon, or a tick with what changed since the tick
//! before. `zcat` prints it as a CBOR sequence (RFC 8742). A member that is incomplete at the end is a tick that was being written when the
//! process ended.
//!
//! A recording has everything that plans depend on: plans are functions of it, so the same build makes the same decisions from it. It is read
//! only by the build that wrote it; ticks of other builds in the same file are left out.
//!
//! [gzip]: https://www.rfc-editor.org/rfc/rfc1952
//! [CBOR]: https://www.rfc-editor.org/rfc/rfc8949

mod decision;
mod file;
mod fleet;
mod moment;
mod past;
mod replay;
mod repository;
mod tracked;

pub use file::{Error, Recorder, Recording, Tick};
pub use moment::Moment;
pub use replay::{Played, Replay};

//! Changes that are reviewed on a forge: a daemon, a hub and a forge with real Git over HTTP.

mod end_to_end;
mod stage;

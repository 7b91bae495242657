//! Reads the declarations on this machine, finds the repository around them, and publishes changes of its files.

pub(super) mod chosen;
pub(super) mod cluster;
pub(super) mod directory;
pub(super) mod discovery;
pub(super) mod overlay;
#[expect(dead_code, unused_imports, reason = "the commands that change the repository follow")]
pub(super) mod publish;

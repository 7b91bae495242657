//! Approvals in real Git repositories, with real signatures: which ones count, and attempts to forge them.

mod authors;
mod forged;
mod histories;
mod hostile;
mod journaled;
mod world;

//! Approvals in real Git repositories, with real signatures: which ones count, and attempts to forge them.

mod authors;
mod claimed;
mod forged;
mod held;
mod histories;
mod hostile;
mod journaled;
mod world;

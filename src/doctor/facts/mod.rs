//! What the checks look at, as plain values. If a fact is not known, the reason takes its place.

mod certificate;
mod definition;
mod forge;
mod hub;
mod repository;
mod server;
mod unknown;
mod vela;
mod whole;

pub use certificate::Certificate;
pub use definition::{Definition, REQUIRED, Required, Version};
pub use forge::{Answers, Branch, Forge, Purpose, Shown, Writes};
pub use hub::{Addon, Cluster, Foreign, Gate, Grant, Placement, Review, Writer, foreign_writers};
pub use repository::{Journal, Keys, Source, TestMessage};
pub use server::{Server, Trouble};
pub use tidegate_api::lease::Lease;
pub use unknown::{Known, Unknown};
pub use vela::{KubeVela, application, delivers};
pub use whole::Facts;

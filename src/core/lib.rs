//! The decisions of Tidegate, as pure functions: what is declared, what each cluster should have, and whose turn it is.
//!
//! No module has a clock, I/O, `async` or randomness. `ARCHITECTURE.md` lists which module imports which.
//!
//! ```
//! use tidegate_core::repository;
//! use tidegate_model::tree::Tree;
//!
//! let placement = "apiVersion: cluster.open-cluster-management.io/v1beta1\nkind: Placement\nmetadata: {name: fleet}\n";
//! let files = [("fleet.yaml".to_owned(), placement.into())].into();
//! let loaded = repository::load(&Tree { files, ..Tree::default() }, "");
//! assert!(loaded.complaints[0].to_string().starts_with("fleet.yaml:3:11: "));
//! ```

pub mod adopt;
pub mod approval;
pub mod checker;
pub mod consent;
pub mod delivery;
pub mod forecast;
pub mod gate;
pub mod journal;
pub mod placement;
pub mod plan;
pub mod policy;
pub mod presentation;
pub mod proposal;
pub mod registration;
pub mod rehearsal;
pub mod repository;
pub mod rollout;
pub mod snapshot;
pub mod status;
pub mod trust;
pub mod upstream;

//! Loads the files of one commit into a typed, validated repository, with the place of every complaint.
//!
//! [`load`] reads a tree of files and never fails: each problem becomes a [`Complaint`], and the add-ons that the complaint
//! touches are left out. [`hold`] fills those gaps from earlier revisions, so that a mistake in one add-on changes nothing on the
//! hub. [`load_with`] also applies the [`OperatorRules`] of the daemon's file.
//!
//! # Source
//! The OCM API (`open-cluster-management.io/api`), Kubernetes object names and labels, and kubectl's reading of YAML.
//!
//! # Examples
//! ```
//! use tidegate_model::tree::Tree;
//!
//! let placement = "apiVersion: cluster.open-cluster-management.io/v1beta1\nkind: Placement\nmetadata: {name: fleet}\n";
//! let files = [("fleet.yaml".to_owned(), placement.into())].into();
//! let loaded = tidegate_repository::load(&Tree { files, ..Tree::default() }, "");
//! assert!(loaded.complaints[0].to_string().starts_with("fleet.yaml:3:11: "));
//! ```

pub mod adopt;
mod application;
mod assemble;
mod check;
mod complaint;
pub mod control;
mod definition;
mod digest;
mod fields;
mod links;
mod load;
mod needs;
mod operator;
mod other_changes;
mod per_cluster;
mod permission;
mod policies;
mod read;
mod recipe;
mod reference;
mod reserved;
pub mod revert;
pub mod revisions;
mod settings;
pub mod trust;
mod types;
mod unit;
pub mod upgrade;
mod vendored;
mod written;

pub use self::application::{
    NAME_LABEL, NAMESPACE_LABEL, Outline, OutlinedComponent, OutlinedPart, OutlinedPolicy, OutlinedWait, outlines,
};
pub use self::assemble::archive::Archive;
pub use self::assemble::contested::taken;
pub use self::assemble::held::{hold, in_force};
pub use self::assemble::rollback::roll_back;
pub use self::assemble::sound::with_defaults;
pub(crate) use self::assemble::sound::without_defaults;
pub use self::links::hub_roles::{DeclaredRole, HubPermission};
pub use self::read::token::token;
pub use crate::reference::hub_permissions::Scope;
pub(crate) use crate::reference::hub_permissions::wanted;
pub(crate) use crate::reference::target::{Target, references};
pub use check::kept_kinds::is_system_namespace;
pub use complaint::{Complaint, Rule};
pub use digest::{basis, known_objects, may_get, objects_by_cluster};
pub use load::{load, load_with, load_within};
pub use needs::needs;
pub use operator::{Adopt, AdoptedObject, AllowedKind, OperatorRules, allowed_kinds};
pub use per_cluster::ClusterContents;
pub use permission::{Lacking, Rights};
pub use policies::{
    DIRECTORY as POLICIES, PlanPolicy, PolicySeverity, PolicyTest, VARIABLES, plan_policies, policy_schema,
};
pub use reserved::{decides, vendors};
pub use settings::{
    Applications, Executor, Grant, Images, Key, Kind, Prune, Rendering, SECTIONS, SETTINGS_FILE, Section, Settings,
    VENDOR, VENDOR_ABOUT, VENDOR_FIELDS, VendorField, renderings, settings, settings_of,
};
pub use tidegate_kustomize::yaml::NodeBudget;
pub use types::{Declared, Held, Loaded, Published, Repository, Rollback};
pub use unit::{Configuration, Given, Overlap, PerCluster, Source, Unit};
pub use written::{Written, written};

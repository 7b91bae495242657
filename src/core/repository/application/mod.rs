//! Applications of `core.oam.dev`: what each field means, what is wrong with it, and what its clusters get.
//!
//! They are read only if `tidegate.toml` says so; otherwise an Application is an object like any other, for a hub with a controller of its
//! own. An application never goes to the hub itself: its components are rendered here, and delivered as ManifestWorks. The source is KubeVela.

mod candidate;
mod component;
mod content;
pub(crate) mod deployment;
pub(crate) mod dispatch;
mod entries;
mod kind;
mod order;
mod outline;
pub(crate) mod ownership;
mod parse;
mod parsed;
mod pod;
mod port;
mod rendered;
mod required;
mod revision;
mod rollout;
mod scaled;
mod schema;
mod selection;
mod setting;
pub(crate) mod sources;
pub(crate) mod steps;
mod task;
mod traits;
mod types;
pub(crate) mod used;
pub(crate) mod variant;
pub(crate) mod volume;
mod workload;

pub(crate) use self::candidate::{REVISION_ONLY, candidates, is_candidate, revision_only};
pub(crate) use self::component::{COMPONENTS, OBJECTS, mistakes};
pub(crate) use self::content::{PUBLISH_VERSION, components, rendered, size, unit};
pub(crate) use self::entries::{
    AppDeployment, Entry, MOST_ENTRIES, NoWorkload, Unscalable, entries, unit_of_entries, unscalable,
};
pub(crate) use self::kind::{
    declared_unit, describes_applications, is_app_deployment, is_application, is_read_kind, is_revision, mark,
};
pub use self::outline::{Outline, OutlinedComponent, OutlinedPart, OutlinedPolicy, OutlinedWait, outlines};
pub(crate) use self::parsed::{COMPONENT_LABEL, Component, ComponentChange, Parsed};
pub use self::parsed::{NAME_LABEL, NAMESPACE_LABEL};
pub(crate) use self::rendered::Rendered;
pub(crate) use self::required::{inherited, names as required_names};
pub(crate) use self::revision::{
    DEFINITIONS, Revision, definitions as revision_definitions, digest, embedded, key as revision_key, stated,
};
pub(crate) use self::selection::{
    OVERRIDE, PLACEMENT, REPLICATION, TOPOLOGY, add_placements, namespaces, placements, revisions,
};
pub(crate) use self::traits::{Mistake, TRAITS};
pub(crate) use self::types::Types;
pub(crate) use self::workload::{LONGEST_NAME, longest_name};

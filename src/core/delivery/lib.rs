//! Delivery to a cluster: renders templates, packs the objects into works, and reads health from the status of works.
//!
//! A [`Template`] is an AddOnTemplate with its AddOnDeploymentConfig, prepared once and rendered for each cluster. [`works`]
//! packs the objects into ManifestWorks, [`work_writes`] returns the writes that create them on the hub, and
//! [`manifest_applied`], [`health`], [`doubt`], [`generations`] and [`cause`] read the answer of the cluster. [`template_of`] and [`config_of`] find the
//! objects that the status of an add-on refers to; [`Agent`], [`merged_registrations`], [`Identities`] and [`permissions`] define how its
//! agent registers on the hub and what it may do there. [`needed`], [`held`] and [`allowing`] are about the rights of the work agent on its
//! cluster. An [`Order`] says which components come first, and [`partial`] what a cluster gets until it is the turn of the others.
//!
//! The rules are those of OCM's template agent and addon-framework, so that a hub can be handed over without any change on its
//! clusters. Tidegate differs only where upstream crashes, loses data or leaves something behind; each difference is documented
//! at its function. In *compat* semantics the works do not differ.

mod agent;
mod condition;
mod error;
mod go_object;
mod health;
mod permission;
mod phase;
pub mod registration;
pub mod status;
mod template;
pub mod upstream;
mod works;

pub use self::agent::grant::{binding_writes, revoked, shared_bindings};
pub use self::agent::identity::Identities;
pub use self::agent::merge::merged_registrations;
pub use self::agent::permission::{Permissions, permissions};
pub use self::agent::registration::Agent;
pub use self::agent::token::uses_tokens;
pub use self::agent::unpermitted::Unpermitted;
pub use self::condition::ready_when::{Conditioned, ReadyWhen, Unjudged, Unreported, fields};
pub use self::health::cause::{Cause, Kind, cause};
pub use self::health::chain::{Holds, Level, Link, first_broken, links};
pub use self::health::evidence::{doubt, failure, generations};
pub use self::health::report::{Evidence, health};
pub use self::permission::access::{Access, allows};
pub use self::permission::forbidden::forbidden;
pub use self::permission::held::held;
pub use self::permission::needed::{Applied, missing, needed};
pub use self::permission::role::{Allowing, allowing};
pub use self::phase::first_batch::first_batch;
pub use self::phase::partial::{Partial, partial};
pub use self::phase::waiting::Waiting;
pub use self::template::image::images;
pub use self::template::namespace::registration_namespace;
pub use self::template::order::Order;
pub use self::template::origin::{Inputs, Origin, Wanted, origins};
pub use self::template::possible::possible_keys;
pub use self::template::prepare::{Subject, Template, registrations_of, render};
pub use self::template::reference::{Unreferenced, config_of, template_of};
pub use self::template::rendered::Rendered;
pub use self::works::applied::manifest_applied;
pub use self::works::autoscaler::scaled;
pub use self::works::complete::{hook_claim, hooks_completed};
pub use self::works::feedback::{condition_rule, scaling_rule};
pub use self::works::hosting::Hosting;
pub use self::works::keep::{Unkept, is_kept, unkept};
pub use self::works::layout::{BUDGET, Layout};
pub use self::works::owner::{OwnerObject, WorkOwner, hook_of, is_state_of};
pub use self::works::pack::{Works, hook_work, works};
pub use self::works::work::Work;
pub use self::works::write::{differs, work_writes};
pub use error::Error;

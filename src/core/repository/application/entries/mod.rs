//! AppDeployments: which clusters run which revision of an application, with how many replicas.

mod content;
mod parsed;
mod replicas;
pub(super) mod schema;

pub(crate) use self::content::unit_of_entries;
pub(crate) use self::parsed::{AppDeployment, Entry, MOST_ENTRIES, entries};
pub(crate) use self::replicas::{NoWorkload, Unscalable, unscalable};

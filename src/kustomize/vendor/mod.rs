//! What lies outside the repository, and the copies of it that the repository holds.
//!
//! Pure. Owns the lock file `vendor.lock`, the hashes of vendored files, the ways to name remote sources and charts, and what a tree
//! still needs. Does not own fetching, or what a kustomization renders.
//!
//! A declaration names a remote source as kustomize expects it. `tidegate vendor` copies the source below `vendor/` and records it in
//! the lock. Rendering reads only the copy, and refuses one whose hash is not that of the lock.

mod audit;
mod chart;
mod digest;
mod directory;
mod files;
mod lock;
pub(crate) mod names;
mod need;
mod objects;
mod output;
pub(crate) mod path;
mod remote;
mod resolve;
mod vendored;
mod walk;

pub use self::audit::audit;
pub use self::chart::{
    CHART, ChartDeclaration, ChartOptions, ChartSource, ChartValues, InvalidValues, LocalChart, Named, NamedChart,
    ObjectChart, ValuesMerge,
};
pub(crate) use self::chart::{ChartEntry, Declaring, charts};
pub use self::digest::{Unhashable, hash, inputs};
pub use self::directory::directory;
pub(crate) use self::files::{File, Files, Found};
pub use self::lock::{Entry, Lock, VendoredApplication, VendoredChart, VendoredDirectory, VendoredFile, What};
pub use self::need::{Need, Needs, State, Wanted};
pub use self::objects::{ObjectCharts, ObjectOutput};
pub use self::remote::{NotRemote, RemoteDirectory};
pub use self::walk::needs;

/// The name of the lock file, at the root of the repository.
pub const LOCK_FILE: &str = "vendor.lock";
/// The directory that holds everything that is vendored, at the root of the repository.
pub const DIRECTORY: &str = "vendor";
/// The file of a vendored chart that holds the output of `helm template`.
pub const MANIFESTS: &str = "manifests.yaml";

//! The objects that components have from elsewhere in the repository: from overlays and charts.

pub(crate) mod chart;
pub(crate) mod overlay;

use std::collections::BTreeSet;

use self::chart::add_charts;
use self::overlay::add_overlays;
use crate::complaint::Complaint;
use crate::read::object::Object;
use tidegate_kustomize::yaml::NodeBudget;
use tidegate_model::tree::Tree;

/// What the components of all applications use.
pub(crate) struct Sources {
    /// The files and directories that were looked for.
    pub(crate) read: BTreeSet<String>,
    /// The directories of the entries in the lock.
    pub(crate) vendored: BTreeSet<String>,
}

/// Adds these objects to the properties of the components that name them.
pub(crate) fn add_sources(
    tree: &Tree,
    objects: &mut [Object],
    complaints: &mut Vec<Complaint>,
    budget: &NodeBudget,
) -> Sources {
    let mut read = add_overlays(tree, objects, complaints, budget);
    let charts = add_charts(tree, objects, complaints, budget);
    read.extend(charts.looked_at);
    Sources { read, vendored: charts.used }
}

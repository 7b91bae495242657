//! The clusters of an add-on, as `clusters.yaml` has them.

use std::collections::BTreeMap;

use tidegate_model::name::ClusterName;
use tidegate_plan::report::ClusterReport;

/// The clusters of an add-on, by name.
pub type Clusters = BTreeMap<ClusterName, ClusterReport>;

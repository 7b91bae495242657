//! The import as a whole.

use tidegate_kustomize::yaml::Node;

use crate::declare::declare;
use crate::document::Document;
use crate::imported::{Imported, Options};
use crate::report::Report;
use crate::stage_names::check_unique;
use crate::{argo, fleet, kubefleet, sveltos, talm};

/// Imports the objects of one tool. The report has each field that is not mapped as it is. Returns nothing if a field was refused.
#[must_use]
pub fn import(nodes: &[Node], options: &Options<'_>) -> (Option<Imported>, Report) {
    let mut report = Report::default();
    let documents: Vec<_> = nodes.iter().flat_map(Document::all).collect();
    let all_of = |group| documents.iter().all(|document| document.is_of(group));
    let rollout = match &documents[..] {
        [] => return (None, report),
        _ if all_of(kubefleet::GROUP) => kubefleet::read(&documents, &mut report),
        _ if all_of(argo::GROUP) => argo::read(&documents, &mut report),
        _ if all_of(talm::GROUP) => talm::read(&documents, &mut report),
        _ if all_of(sveltos::GROUP) => sveltos::read(&documents, &mut report),
        _ if documents.iter().all(|document| document.is_of(fleet::GROUP) || fleet::is_fleet_yaml(document)) => {
            fleet::read(&documents, &mut report)
        }
        [first, ..] => {
            let known = "objects of one of these tools: KubeFleet (staged update strategies), Argo CD (ApplicationSets with RollingSync), Rancher Fleet (fleet.yaml or Bundle with rolloutStrategy), TALM (ClusterGroupUpgrades), Sveltos (ClusterPromotions)";
            first.field.refuse(&mut report, format!("import reads {known}"));
            None
        }
    };
    let imported = rollout.map(|rollout| {
        check_unique(rollout.stages.iter().map(|stage| (stage.name.as_str(), stage.field.clone())), &mut report);
        declare(&rollout, options, &mut report)
    });
    report.entries.sort_by_key(|entry| (entry.origin.source, entry.origin.line, entry.origin.column));
    let is_refused = report.refused().next().is_some();
    (imported.filter(|_| !is_refused), report)
}

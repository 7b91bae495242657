//! Placements of KubeFleet: which clusters get something.

use crate::document::Document;
use crate::field::Field;
use crate::field::Use::{Content, Ignored, LeftOut, Read};
use crate::report::Report;
use crate::rollout::{Members, Rollout};
use crate::selector::{names, selector};

/// Reads the selection of a placement into a rollout.
///
/// # Source
/// KubeFleet `ClusterResourcePlacement`, `PlacementPolicy`.
pub(crate) fn read<'n>(document: &Document<'n>, rollout: &mut Rollout<'n>, report: &mut Report) {
    let known = [
        ("resourceSelectors", Content),
        ("policy", Read),
        ("strategy", Read),
        ("revisionHistoryLimit", Ignored),
        ("statusReportingScope", Ignored),
    ];
    let Some(spec) = document.spec(report) else { return };
    spec.open(report, &known);
    if let Some(strategy) = spec.get("strategy") {
        let apply = "the add-on manager and the work agent decide how objects are applied";
        // The stages replace a rolling update; `External` is what placements with update runs have.
        strategy.open(report, &[("type", Ignored), ("rollingUpdate", Ignored), ("applyStrategy", LeftOut(apply))]);
    }
    let Some(policy) = spec.get("policy") else { return };
    let taints = "name the taints of your ManagedClusters in `tolerations` of the Placement";
    let spread = "write spreadPolicy of the Placement";
    policy.open(
        report,
        &[
            ("placementType", Read),
            ("clusterNames", Read),
            ("numberOfClusters", Read),
            ("affinity", Read),
            ("topologySpreadConstraints", LeftOut(spread)),
            ("tolerations", LeftOut(taints)),
        ],
    );
    match policy.text_of(report, "placementType").unwrap_or("PickAll") {
        "PickFixed" => rollout.selection.push(Members::Names(names(&policy.list(report, "clusterNames"), report))),
        "PickN" => {
            rollout.clusters = policy.number(report, "numberOfClusters").and_then(|number| number.try_into().ok());
            if rollout.clusters.is_none() {
                policy.refuse(report, "PickN needs numberOfClusters, as a number of clusters");
            }
        }
        "PickAll" => {}
        other => {
            policy.refuse(report, format!("the placementType {other:?} is not known: PickAll, PickFixed or PickN"))
        }
    }
    for (field, of) in [("clusterNames", "PickFixed"), ("numberOfClusters", "PickN")] {
        if policy.text_of(report, "placementType").unwrap_or("PickAll") != of {
            policy.get(field).iter().for_each(|field| field.leave_out(report, format!("it is a field of {of}")));
        }
    }
    if let Some(affinity) = policy.get("affinity") {
        affinity.open(report, &[("clusterAffinity", Read)]);
        if let Some(clusters) = affinity.get("clusterAffinity") {
            read_affinity(&clusters, rollout, report);
        }
    }
}

fn read_affinity<'n>(clusters: &Field<'n>, rollout: &mut Rollout<'n>, report: &mut Report) {
    let required = "requiredDuringSchedulingIgnoredDuringExecution";
    let preferred = "write prioritizerPolicy of the Placement";
    clusters.open(report, &[(required, Read), ("preferredDuringSchedulingIgnoredDuringExecution", LeftOut(preferred))]);
    let Some(required) = clusters.get(required) else { return };
    required.open(report, &[("clusterSelectorTerms", Read)]);
    for term in required.list(report, "clusterSelectorTerms") {
        // A term without its properties would select more clusters.
        term.open(
            report,
            &[("labelSelector", Read), ("propertySelector", Read), ("propertySorter", LeftOut(preferred))],
        );
        if let Some(properties) = term.get("propertySelector") {
            properties.refuse(report, "properties cannot select clusters; give the clusters a label, and select that");
        }
        match term.get("labelSelector") {
            Some(labels) => rollout.selection.push(Members::Labels(selector(&labels, report))),
            None => term.refuse(report, "the term has no labelSelector, so that it would select all clusters"),
        }
    }
}

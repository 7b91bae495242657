//! Rollout strategies of Rancher Fleet.
//!
//! # Source
//! Fleet `pkg/apis/fleet.cattle.io/v1alpha1` (`RolloutStrategy`, `Partition`), `internal/cmd/controller/target/partition.go`.

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use crate::document::{Document, only};
use crate::field::Field;
use crate::field::Use::{Content, LeftOut, Read};
use crate::report::{AFTER, Report};
use crate::rollout::{Members, Others, Rollout, Stage};
use crate::selector::{names, selector};
use crate::share::{Share, at_once, share};
use crate::stage_names::group_name;

/// The group of the API.
pub(crate) const GROUP: &str = "fleet.cattle.io";

/// Returns `true` if the object is a `fleet.yaml`, which has no kind.
pub(crate) fn is_fleet_yaml(document: &Document<'_>) -> bool {
    document.kind.is_empty() && document.field.get("rolloutStrategy").is_some()
}

/// Reads a `fleet.yaml` or a Bundle, and the GitRepo and the ClusterGroups beside it.
pub(crate) fn read<'n>(documents: &[Document<'n>], report: &mut Report) -> Option<Rollout<'n>> {
    for document in documents {
        if !is_fleet_yaml(document) && !["Bundle", "GitRepo", "ClusterGroup"].contains(&document.kind) {
            document.field.refuse(report, format!("the kind {:?} is not known", document.kind));
        }
    }
    let kind = if documents.iter().any(is_fleet_yaml) { "" } else { "Bundle" };
    for bundle in documents.iter().filter(|document| kind.is_empty() && document.kind == "Bundle") {
        bundle.field.refuse(report, "there is a fleet.yaml and a Bundle; import one of them");
    }
    let Some(document) = only(documents, &[kind], report) else {
        if let (Some(first), 0) = (documents.first(), report.refused().count()) {
            first.field.refuse(report, "there is no rolloutStrategy; name the fleet.yaml or the Bundle as well");
        }
        return None;
    };
    let spec = if kind.is_empty() { document.field.clone() } else { document.spec(report)? };
    open(&spec, report);
    let groups = Groups(documents);
    let mut rollout = strategy(&spec, &groups, report)?;
    let repository = only(documents, &["GitRepo"], report).and_then(|document| document.spec(report));
    repository.iter().for_each(|spec| open(spec, report));
    // The targets of a GitRepo choose the clusters; those of a fleet.yaml only change what they get.
    let chooses = repository.as_ref().or((!kind.is_empty()).then_some(&spec));
    for target in chooses.map_or_else(Vec::new, |spec| spec.list(report, "targets")) {
        rollout.selection.extend(members(&target, &groups, report));
    }
    if rollout.selection.is_empty() {
        let why = "no `targets` select clusters, so that all clusters would be selected; name the file of the GitRepo as well";
        spec.refuse(report, why);
    }
    Some(rollout)
}

/// The fields of a bundle: everything but the strategy and the targets describes what is deployed.
fn open(spec: &Field<'_>, report: &mut Report) {
    let settings = "write a Placement and an AddOnDeploymentConfig for the clusters that differ";
    let known = [
        ("rolloutStrategy", Read),
        ("targets", Read),
        ("targetRestrictions", Read),
        ("targetCustomizations", LeftOut(settings)),
        ("overrideTargets", LeftOut(settings)),
        ("dependsOn", LeftOut(AFTER)),
        ("paused", LeftOut("run `tidegate pause`")),
    ];
    let Some(mapping) = spec.node.as_mapping() else { return };
    let content = mapping.iter().map(|entry| &*entry.key().text);
    let content = content.filter(|name| !known.iter().any(|(known, _)| known == name)).map(|name| (name, Content));
    let all: Vec<_> = known.into_iter().chain(content).collect();
    spec.open(report, &all);
    if let Some(field) = spec.get("targetRestrictions").filter(|field| !field.node.is_empty()) {
        field.refuse(
            report,
            "without the restrictions, more clusters would be selected; write them into the selectors of the targets",
        );
    }
}

fn strategy<'n>(spec: &Field<'n>, groups: &Groups<'_, 'n>, report: &mut Report) -> Option<Rollout<'n>> {
    let Some(strategy) = spec.get("rolloutStrategy") else {
        spec.refuse(report, "there is no rolloutStrategy, so that there is nothing to import");
        return None;
    };
    let known = [
        ("maxUnavailable", Read),
        ("maxUnavailablePartitions", Read),
        ("autoPartitionSize", Read),
        ("partitions", Read),
        ("autoPartitionThreshold", LeftOut("there are groups for any number of clusters")),
        ("maxNew", LeftOut("write `limits[].startsPerMinute` in the RolloutPolicy")),
    ];
    strategy.open(report, &known);
    if let Some(field) = strategy.get("maxUnavailablePartitions") {
        field.differs(report, "no group starts before the one before it is done, as with 0");
    }
    let all = strategy.get("maxUnavailable").and_then(|field| {
        field.differs(
            report,
            "it limits how many clusters are under way; the first cluster that fails stops the rollout",
        );
        at_once(&field, report)
    });
    let partitions = strategy.list(report, "partitions");
    let stages: Vec<_> =
        partitions.iter().enumerate().filter_map(|(at, item)| stage(at, item, groups, report)).collect();
    let own_size = strategy.get("autoPartitionSize");
    let size = match &own_size {
        Some(field) => share(field, report).map(|share| match share {
            Share::Number(number) => IntOrString::Int(number.max(1).try_into().unwrap_or(i32::MAX)),
            Share::Percentage(percentage) => IntOrString::String(format!("{}%", percentage.max(1))),
        }),
        None => Some(IntOrString::String("25%".to_owned())),
    };
    match (&own_size, partitions.is_empty()) {
        (Some(field), false) => {
            field.differs(report, "it has no effect beside partitions; clusters of no partition do not get the add-on")
        }
        (Some(field), true) => field.differs(report, "there are groups of this size for any number of clusters"),
        (None, true) => {
            strategy.differs(report, "there are groups of 25%, as Fleet makes them of 200 clusters and more")
        }
        (None, false) => strategy.differs(report, "clusters of no partition do not get the add-on"),
    }
    let others = if partitions.is_empty() { Others::Groups(size) } else { Others::Excluded };
    Some(Rollout { at_once: all, ..Rollout::new(stages, others) })
}

fn stage<'n>(at: usize, item: &Field<'n>, groups: &Groups<'_, 'n>, report: &mut Report) -> Option<Stage<'n>> {
    let members = members(item, groups, report)?;
    let name = item
        .text_of(report, "name")
        .map_or_else(|| format!("partition-{}", at + 1), |name| group_name(name, item, report));
    let own = item.get("maxUnavailable").and_then(|field| at_once(&field, report));
    Some(Stage { at_once: own, ..Stage::new(name, members, item.clone()) })
}

/// The ClusterGroups among the objects.
struct Groups<'d, 'n>(&'d [Document<'n>]);

/// Reads which clusters a target or a partition is about; what is not understood is reported.
fn members(item: &Field<'_>, groups: &Groups<'_, '_>, report: &mut Report) -> Option<Members> {
    let known = [
        ("name", Read),
        ("maxUnavailable", Read),
        ("clusterName", Read),
        ("clusterSelector", Read),
        ("clusterGroup", Read),
        ("clusterGroupSelector", Read),
    ];
    if !item.open(report, &known) {
        return None;
    }
    if let Some(field) = item.get("clusterGroupSelector") {
        field.refuse(report, "groups cannot be selected by labels; select the clusters with clusterSelector");
        return None;
    }
    let ways = ["clusterName", "clusterSelector", "clusterGroup"];
    let mut given = ways.iter().filter_map(|way| item.get(way).map(|field| (*way, field)));
    let (Some((way, field)), None) = (given.next(), given.next()) else {
        item.refuse(report, "name the clusters in one of clusterName, clusterSelector and clusterGroup");
        return None;
    };
    match way {
        "clusterName" => Some(Members::Names(names(std::slice::from_ref(&field), report))),
        "clusterSelector" => Some(Members::Labels(selector(&field, report))),
        _ => {
            let name = field.text(report)?;
            let group = groups.0.iter().find(|document| document.kind == "ClusterGroup" && document.name == name);
            let Some(group) = group else {
                field
                    .refuse(report, format!("the ClusterGroup {name:?} is not among the files; name its file as well"));
                return None;
            };
            let spec = group.spec(report)?;
            spec.open(report, &[("selector", Read)]);
            let Some(labels) = spec.get("selector") else {
                spec.refuse(report, format!("the ClusterGroup {name:?} has no selector"));
                return None;
            };
            Some(Members::Labels(selector(&labels, report)))
        }
    }
}

//! A staged rollout as a Placement, a strategy and RolloutPolicies.

use std::collections::BTreeSet;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, LabelSelectorRequirement};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use tidegate_api::ocm::placement::{
    ClusterCelSelector, ClusterPredicate, ClusterSelector, ClusterToleration, DecisionGroup, DecisionStrategy,
    GroupClusterSelector, GroupStrategy, Placement, PlacementSpec,
};
use tidegate_api::ocm::rollout_strategy::{MandatoryDecisionGroup, RolloutProgressivePerGroup, RolloutStrategy};

use crate::declare_policies::policies;
use crate::duration::written;
use crate::imported::{Imported, Options};
use crate::report::Report;
use crate::rollout::{Members, Others, Rollout, Stage};
use crate::selector::{both, one_of, only, selects_all};

/// Returns the declarations of a rollout. What cannot be declared is reported.
pub(crate) fn declare(rollout: &Rollout<'_>, options: &Options<'_>, report: &mut Report) -> Imported {
    let groups: Vec<Group> = rollout.stages.iter().filter_map(|stage| group(stage, options, report)).collect();
    let mut labels: Vec<_> = groups.iter().flat_map(|group| group.labels.clone()).collect();
    let is_labelled = !labels.is_empty();
    check_labels(rollout, &labels, report);
    if is_labelled && !matches!(rollout.others, Others::Excluded) {
        let free = ["rest", "others", "remaining"].iter().find(|name| !groups.iter().any(|group| group.name == **name));
        let rest = *free.unwrap_or(&"-");
        for members in &rollout.selection {
            match members {
                Members::Names(names) => {
                    let others =
                        names.iter().filter(|name| !labels.iter().any(|(known, _)| known.as_ref() == Some(*name)));
                    let others: Vec<_> = others.map(|name| (Some(name.clone()), rest.to_owned())).collect();
                    labels.extend(others);
                }
                Members::Labels(_) => labels.push((None, rest.to_owned())),
            }
        }
        labels.dedup();
    }
    let required = options.group_label.filter(|_| is_labelled);
    let mut placement = Placement::new(options.addon, placement(rollout, &groups, required));
    placement.metadata.namespace = Some(options.namespace.to_owned());
    let strategy = strategy(rollout, &groups);
    let policies = policies(rollout, options, report);
    Imported { placement, strategy, policies, labels }
}

/// Reports clusters that stages with names choose twice, or that are not selected at all.
fn check_labels(rollout: &Rollout<'_>, labels: &[(Option<String>, String)], report: &mut Report) {
    let Some(first) = rollout.stages.first() else { return };
    let mut seen = BTreeSet::new();
    let only_names = rollout.selection.iter().map(|members| match members {
        Members::Names(names) => Some(names),
        Members::Labels(_) => None,
    });
    let selected: Option<Vec<&Vec<String>>> = only_names.collect();
    for name in labels.iter().filter_map(|(name, _)| name.as_ref()) {
        if !seen.insert(name) {
            first.field.refuse(report, format!("the cluster {name} is in two stages"));
        }
        let is_selected = |lists: &Vec<&Vec<String>>| lists.is_empty() || lists.iter().any(|list| list.contains(name));
        if !selected.as_ref().is_none_or(is_selected) {
            first.field.refuse(report, format!("the cluster {name} is in a stage, but is not selected"));
        }
    }
}

/// A group of a placement.
struct Group {
    name: String,
    selector: LabelSelector,
    /// The labels that its clusters need.
    labels: Vec<(Option<String>, String)>,
    /// `true` if the rollout must not go past the group while it is empty.
    is_needed: bool,
}

/// Returns the group of a stage. Clusters with names need a label: groups cannot select names.
fn group(stage: &Stage<'_>, options: &Options<'_>, report: &mut Report) -> Option<Group> {
    let name = stage.name.clone();
    let has_gate = stage.approval.is_some() || !stage.windows.is_empty();
    match (&stage.members, options.group_label) {
        (Members::Labels(selector), _) => {
            Some(Group { name, selector: selector.clone(), labels: Vec::new(), is_needed: has_gate })
        }
        (Members::Names(clusters), Some(key)) => {
            let selector = only(one_of(key, std::slice::from_ref(&name)));
            let labels = clusters.iter().map(|cluster| (Some(cluster.clone()), name.clone())).collect();
            Some(Group { name, selector, labels, is_needed: true })
        }
        (Members::Names(_), None) => {
            let how = "clusters are chosen by name, and a group of a Placement selects labels: name a label that you will give them with --group-label, such as rollout-group";
            stage.field.refuse(report, how);
            None
        }
    }
}

fn placement(rollout: &Rollout<'_>, groups: &[Group], required: Option<&str>) -> PlacementSpec {
    let per_group = match &rollout.others {
        Others::Groups(size) => size.clone(),
        Others::Excluded => None,
    };
    let decision_groups = groups.iter().map(|group| DecisionGroup {
        group_name: group.name.clone(),
        group_cluster_selector: GroupClusterSelector {
            label_selector: Some(group.selector.clone()),
            ..GroupClusterSelector::default()
        },
    });
    let group_strategy =
        GroupStrategy { decision_groups: decision_groups.collect(), clusters_per_decision_group: per_group };
    PlacementSpec {
        number_of_clusters: rollout.clusters,
        predicates: predicates(rollout, groups, required),
        // A cluster that cannot be reached keeps what it has.
        tolerations: ["unreachable", "unavailable"].map(tolerated).to_vec(),
        decision_strategy: Some(DecisionStrategy { group_strategy: Some(group_strategy) }),
        ..PlacementSpec::default()
    }
}

fn tolerated(taint: &str) -> ClusterToleration {
    ClusterToleration {
        key: format!("cluster.open-cluster-management.io/{taint}"),
        operator: "Exists".to_owned(),
        ..ClusterToleration::default()
    }
}

/// Returns the predicates, of which a cluster must meet one; none if all clusters are selected.
fn predicates(rollout: &Rollout<'_>, groups: &[Group], required: Option<&str>) -> Vec<ClusterPredicate> {
    let everything = [Members::Labels(LabelSelector::default())];
    let selection = if rollout.selection.is_empty() { &everything[..] } else { &rollout.selection[..] };
    // Without the label, a cluster would be in the last group, and not in its own.
    let exists = required
        .map(|key| only(LabelSelectorRequirement { key: key.to_owned(), operator: "Exists".to_owned(), values: None }));
    let mut found: Vec<ClusterSelector> = Vec::new();
    for members in selection {
        let base = match members {
            Members::Labels(selector) => {
                ClusterSelector { label_selector: Some(selector.clone()), ..ClusterSelector::default() }
            }
            Members::Names(names) => named(names),
        };
        let restrictions: Vec<&LabelSelector> = match (&rollout.others, &exists) {
            (Others::Excluded, _) => groups.iter().map(|group| &group.selector).collect(),
            (_, Some(exists)) => vec![exists],
            (_, None) => Vec::new(),
        };
        match &restrictions[..] {
            [] => found.push(base),
            _ => found.extend(restrictions.iter().map(|selector| restricted(&base, selector))),
        }
    }
    let is_open = |selector: &ClusterSelector| {
        selector.cel_selector.is_none() && selector.label_selector.as_ref().is_none_or(selects_all)
    };
    if found.iter().any(is_open) {
        return Vec::new();
    }
    found.dedup();
    found.into_iter().map(|selector| ClusterPredicate { required_cluster_selector: Some(selector) }).collect()
}

/// Returns a selector of clusters by their names, which need no escapes.
fn named(names: &[String]) -> ClusterSelector {
    let list: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let expression = format!("managedCluster.metadata.name in [{}]", list.join(", "));
    ClusterSelector {
        cel_selector: Some(ClusterCelSelector { cel_expressions: vec![expression] }),
        ..ClusterSelector::default()
    }
}

fn restricted(base: &ClusterSelector, selector: &LabelSelector) -> ClusterSelector {
    let labels = match base.label_selector.as_ref().filter(|labels| !selects_all(labels)) {
        Some(labels) => both(labels, selector),
        None => selector.clone(),
    };
    ClusterSelector { label_selector: Some(labels), ..base.clone() }
}

fn strategy(rollout: &Rollout<'_>, groups: &[Group]) -> RolloutStrategy {
    // A mandatory group must not be empty. Without the label of its clusters, or with a gate that belongs to it, an empty group would let the
    // next one start too early. Mandatory groups go first, so that those before them are mandatory, too. Any other group may be empty, as in
    // the other tools.
    let last = groups.iter().rposition(|group| group.is_needed).map_or(0, |last| last + 1);
    let mandatory = groups
        .iter()
        .take(last)
        .map(|group| MandatoryDecisionGroup { group_name: group.name.clone(), ..MandatoryDecisionGroup::default() });
    RolloutStrategy {
        type_: "ProgressivePerGroup".to_owned(),
        progressive_per_group: Some(RolloutProgressivePerGroup {
            min_success_time: rollout.soak.map(written),
            progress_deadline: rollout.deadline.map(written),
            max_failures: Some(IntOrString::Int(0)),
            mandatory_decision_groups: mandatory.collect(),
        }),
        ..RolloutStrategy::default()
    }
}

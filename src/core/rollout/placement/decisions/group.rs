//! Decision groups: how the selected clusters are divided.

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use crate::placement::filter::candidate::Candidate;
use crate::placement::filter::selector::ClusterSelector;
use crate::placement::outcome::PluginMessage;
use tidegate_api::ocm::placement::GroupStrategy;
use tidegate_go::float::parse_float;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::ClusterName;

/// The result of dividing the selected clusters into groups.
pub(in crate::placement) struct Division {
    /// The groups in order. If there is a problem, some clusters are missing.
    pub(in crate::placement) groups: Vec<DecisionGroup>,
    /// The problem with the strategy, if any.
    pub(in crate::placement) problem: Option<PluginMessage>,
}

/// Divides the selected clusters into the named groups of the strategy, in order, and the remaining clusters into unnamed groups.
///
/// # Shape
/// `selected` is sorted by name. Each cluster is in one group, and no group is empty; without clusters, the result is one empty
/// group. If there is a problem, only the groups before the broken one are returned.
pub(in crate::placement) fn divide(selected: Vec<Candidate<'_>>, strategy: Option<&GroupStrategy>) -> Division {
    let mut groups = Vec::new();
    let problem = fill(&mut groups, selected, strategy).err().map(|problem| PluginMessage::new("", problem));
    Division { groups, problem }
}

fn fill(
    groups: &mut Vec<DecisionGroup>,
    selected: Vec<Candidate<'_>>,
    strategy: Option<&GroupStrategy>,
) -> Result<(), String> {
    let length = length(strategy.and_then(|strategy| strategy.clusters_per_decision_group.as_ref()), selected.len())?;
    let mut remaining = selected;
    for named in strategy.map_or(&[][..], |strategy| &strategy.decision_groups) {
        let selector = ClusterSelector::of_group(&named.group_cluster_selector)?;
        let (matched, rest) = remaining.into_iter().partition(|candidate| selector.matches(candidate.cluster));
        cut(groups, &named.group_name, matched, length);
        remaining = rest;
    }
    cut(groups, "", remaining, length);
    if groups.is_empty() {
        groups.push(DecisionGroup { index: 0, name: String::new(), clusters: Vec::new() });
    }
    Ok(())
}

fn cut(groups: &mut Vec<DecisionGroup>, name: &str, clusters: Vec<Candidate<'_>>, length: usize) {
    for chunk in clusters.chunks(length) {
        let clusters: Vec<ClusterName> = chunk.iter().map(|candidate| candidate.name.clone()).collect();
        let index = groups.last().map_or(0, |last| last.index + 1);
        groups.push(DecisionGroup { index, name: name.to_owned(), clusters });
    }
}

/// Returns the maximum size of a group, at least 1. Percentages are computed with upstream's rounding errors: 7% of 100 is 8.
fn length(wanted: Option<&IntOrString>, total: usize) -> Result<usize, String> {
    let length = match wanted {
        None => total,
        Some(IntOrString::Int(number)) => usize::try_from(*number).unwrap_or(0),
        Some(IntOrString::String(text)) => {
            let per_cent = text.strip_suffix('%').and_then(|text| parse_float(text).ok());
            let per_cent = per_cent.ok_or_else(|| format!("{text} invalid type: string is not a percentage"))?;
            (per_cent / 100.0 * total as f64).ceil() as usize
        }
    };
    Ok(if length == 0 || length > total { total.max(1) } else { length })
}

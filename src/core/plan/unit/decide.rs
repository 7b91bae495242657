//! One add-on, in steps: what is known about its clusters (`survey`), which of them start (`rule`), what each of them gets
//! (`deliver`), which clusters it leaves (`depart`), and the resulting status and report (`summarize`).

use super::deliver;
use super::depart;
use super::rule;
use super::summarize;
use super::survey::Survey;
use crate::cluster::application;
use crate::context::{Context, Planned};
use crate::memo::Memo;
use crate::node::Node;
use crate::report::AddonReport;
use crate::report::missing::Missing;
use tidegate_consent::Judges;
use tidegate_model::action::{Lane, Stage};
use tidegate_rollout::gate::Gates;

/// Decides what to write for one add-on.
///
/// `survey` is what is known about it; each cluster that would start has to pass the gates.
pub(crate) fn planned<'a>(
    context: &Context<'a>,
    survey: Option<Survey<'a>>,
    (gates, judges): (&mut Gates<'a>, &Judges),
    memo: &mut Memo,
) -> Planned {
    let Some(survey) = survey else {
        let problem = Some("waits until the hub has its ClusterManagementAddOn".to_owned());
        return Planned { report: AddonReport { problem, ..AddonReport::default() }.into(), ..Planned::default() };
    };
    let Survey { membership, nodes } = survey;
    let rulings = rule::rule(context, &nodes, judges, gates);
    let unwanted = membership.unwanted(context);
    let keeps_grants = !membership.is_reliable || !unwanted.leaving.is_empty();
    let mut planned = Planned { lanes: membership.lanes(context), ..Planned::default() };
    planned.lanes.extend(reclaimed(context, &nodes));
    let delivered = deliver::deliver(context, &rulings, keeps_grants, memo, &mut planned);
    depart::depart(context, unwanted, &rulings, delivered.installs, &mut planned);
    if !membership.is_reliable {
        // A hold or its confirmation stays as it was.
        let before = context.input.past.report.addons.get(context.name);
        planned.report.removal = before.and_then(|report| report.removal.clone());
    }
    summarize::summarize(context, &rulings, &delivered.progress, &mut planned);
    planned.report.last_good = super::rollback::last_good(context, judges, &planned.report);
    planned
}

/// Returns the writes that mark the works of an application that have lost their mark.
fn reclaimed(context: &Context<'_>, nodes: &[Node<'_>]) -> Vec<Lane> {
    let taken = nodes.iter().flat_map(|node| &node.awaited).filter(|(_, missing)| *missing == Missing::Taken);
    let writes = taken.map(|(cluster, _)| application::reclaimed(context, cluster)).filter(|writes| !writes.is_empty());
    writes.map(|writes| Lane { stage: Stage::Deliver, writes }).collect()
}

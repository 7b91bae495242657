//! The order of the pipeline: declared objects, placements, add-ons.

use std::collections::{BTreeMap, BTreeSet};

use super::candidate;
use super::cluster::token;
use super::context::{Context, Planned, has_begun};
use super::hub_objects::declare;
use super::input::{Distrusted, Drifts, Input, Readings};
use super::memo::Memo;
use super::occupants::Occupants;
use super::refusal::refusal;
use super::removal::leftovers::leftovers;
use super::removal::prune::{self, Pruned};
use super::removal::withdraw;
use super::report::{AddonReport, Report};
use super::rules;
use super::select::{Selection, Selections};
use super::unit;
use super::unit::requests::Issue;
use super::unit::survey::survey;
use super::upstream::copies;
use tidegate_consent::{Judges, RulesInForce};
use tidegate_delivery::WorkOwner;
use tidegate_delivery::upstream::Delivery;
use tidegate_model::action::Lane;
use tidegate_model::name::{NamespacedName, UnitName};
use tidegate_model::progress::Phase;
use tidegate_model::shared::Shared;
use tidegate_model::time::{Timestamp, sooner};
use tidegate_repository::Unit;
use tidegate_rollout::gate::checks::Request;
use tidegate_rollout::gate::{Gates, Policies, Traffic};

/// What to write, what to report, and when to look again.
#[derive(Debug, Default)]
#[must_use = "a plan that is not carried out changes nothing"]
pub struct Plan {
    /// The writes. Empty if the hub is up to date.
    pub lanes: Vec<Lane>,
    /// What was found and decided.
    pub report: Report,
    /// The next moment at which time alone changes a decision.
    pub look_at: Option<Timestamp>,
    /// The last complete reading of each Placement's decisions, for the next plan.
    pub readings: Readings,
    /// The certificates of custom signers to issue.
    pub issues: Vec<Issue>,
    /// The CertificateSigningRequests that are left alone although they look like those of agents, each with the reason.
    pub suspects: Vec<String>,
    /// Decisions that the hub's scheduler made for a Placement that was not as declared.
    pub distrusted: Distrusted,
    /// Fields that others have added to declared objects, with the number of times in a row that they were removed.
    pub drifts: Drifts,
    /// What the checks of policies measure beside the plan.
    pub requests: Vec<Request>,
    /// How many units were not planned again, because nothing that they depend on has changed.
    pub at_rest: usize,
}

/// Decides what to do now.
///
/// # Guarantees
/// Pure and deterministic. A plan carried out and observed leads to a plan without writes, unless something else has changed.
///
/// # Assumptions
/// The fleet is one consistent observation, in which the results of earlier writes are already visible.
pub fn plan(input: &Input<'_>, memo: &mut Memo) -> Plan {
    memo.retain(input.fleet, &input.repository.settings);
    let (reported, view) = (input.fleet, memo.views.fleet(input.fleet));
    let input = &Input { fleet: view.as_ref().unwrap_or(reported), ..*input };
    let mut plan = Plan::default();
    let refused = refused(input);
    let copies = copies::copies(input, reported);
    plan.lanes.extend(copies.lanes.iter().cloned());
    plan.report.notices.extend(copies.notices.iter().cloned());
    let in_force = plan.declare(input, &refused, memo);
    let mut pruned = prune::pruned(input);
    plan.lanes.append(&mut pruned.lanes);
    plan.report.notices.append(&mut pruned.notices);

    let wanted = input.repository.addons.iter().filter(|(name, _)| !refused.contains_key(*name));
    let wanted: Vec<(&UnitName, &Unit)> = wanted.collect();
    let selections = plan.select(input, &wanted, memo);
    let rules = input.repository.settings.rules();
    let owners: Vec<WorkOwner> =
        wanted.iter().map(|(name, _)| WorkOwner::of(name, input.instance.id.as_str())).collect();
    let occupants = Occupants::new(&selections);
    let context = |(&(name, unit), owner)| Context {
        input,
        reported,
        copies: &copies,
        rules,
        selections: &selections,
        occupants: &occupants,
        name,
        unit,
        owner,
        has_begun: has_begun(input, name, unit),
    };
    let contexts: Vec<Context<'_>> = wanted.iter().zip(&owners).map(context).collect();
    plan.roll_out(input, &contexts, &in_force, memo);
    plan.withdraw((input, &occupants), &pruned);
    if input.delivery == Delivery::Native {
        plan.answer_agents(input, memo);
    }
    plan.report.hold = pruned.hold;
    plan.conclude(input, refused);
    plan
}

impl Plan {
    /// Decides which rules are in force, and writes what the repository declares.
    fn declare(&mut self, input: &Input<'_>, refused: &BTreeMap<UnitName, String>, memo: &mut Memo) -> RulesInForce {
        let rules = rules::decided(input);
        self.look_at = sooner(self.look_at, rules.waiting().and_then(|waiting| waiting.until));
        self.report.notices.extend(rules.notice());
        self.report.rules = rules.state;
        memo.declared.retain(input);
        let refused = refused.keys().cloned().collect();
        let declared = declare::declared(input, &rules.in_force, &refused, &mut memo.declared);
        self.lanes.extend(declared.lanes);
        self.report.collisions = declared.collisions;
        self.report.repairs = declared.repairs;
        self.drifts = declared.drifts;
        rules.in_force
    }

    /// Selects the clusters of all Placements.
    fn select(&mut self, input: &Input<'_>, wanted: &[(&UnitName, &Unit)], memo: &mut Memo) -> Selections {
        let placements: BTreeSet<NamespacedName> = wanted.iter().flat_map(|(_, addon)| addon.placements()).collect();
        let selections = memo.selections.selections(input, placements);
        for selection in selections.values() {
            self.lanes.extend(selection.lanes.iter().cloned());
            self.look_at = sooner(self.look_at, selection.look_at);
        }
        self.readings = readings(input, &selections);
        let distrusted = selections.iter().filter_map(|(name, s)| Some((name.clone(), s.distrusted.clone()?)));
        self.distrusted = distrusted.collect();
        selections
    }

    /// Plans the units that are not at rest. Gates count the clusters of all units: if there are policies, those at rest are surveyed as well, as
    /// long as not all of them rest. So are units that others require.
    fn roll_out<'a>(
        &mut self,
        input: &'a Input<'a>,
        contexts: &[Context<'a>],
        in_force: &RulesInForce,
        memo: &mut Memo,
    ) {
        // Once all clusters have a digest, the policies before it no longer apply.
        let good = input.past.report.good_digests();
        let judged = |context: &Context<'_>| {
            (context.name.clone(), input.approvals.of(context.name, &context.unit.digest, &good, in_force))
        };
        let judges: BTreeMap<UnitName, Judges> = contexts.iter().map(judged).collect();
        let policies = Policies::new(&input.repository.policies, &judges).with(&input.approvals.operator);
        if let Some(Context { selections, copies, .. }) = contexts.first() {
            memo.at_rest.retain(input, (selections, copies), (in_force, !policies.is_empty()));
        }
        let rests = |context: &&Context<'a>| memo.at_rest.get(context.name).is_some();
        let (kept, moving): (Vec<&Context<'_>>, Vec<&Context<'_>>) = contexts.iter().partition(rests);
        let required: BTreeSet<&UnitName> = moving.iter().flat_map(|context| context.unit.requires()).collect();
        let is_counted =
            |context: &&&Context<'a>| !moving.is_empty() && (!policies.is_empty() || required.contains(context.name));
        let counted: Vec<_> =
            kept.iter().filter(is_counted).map(|context| (*context, survey(context, &policies))).collect();
        let surveyed: Vec<_> = moving.iter().map(|context| (*context, survey(context, &policies))).collect();
        let mut traffic = Traffic::default();
        if !policies.is_empty() || !required.is_empty() {
            for (context, survey) in counted.iter().chain(&surveyed) {
                traffic.add(context.name, unit::survey::traffic(context, survey.as_ref()));
            }
        }
        let mut gates = Gates::new(policies, &input.fleet.clusters, traffic, input.now);
        self.at_rest = kept.len();
        for context in kept {
            let report = memo.at_rest.get(context.name).cloned();
            self.report.addons.extend(report.map(|report| (context.name.clone(), report)));
        }
        for (context, survey) in surveyed {
            let Some(judges) = judges.get(context.name) else { continue };
            let leftovers = leftovers(input, context.name);
            let mut planned = unit::decide::planned(context, survey, (&mut gates, judges), memo);
            planned.report.digest = Some(context.unit.digest.clone());
            memo.at_rest.keep(context, !leftovers.is_empty(), &mut planned);
            self.lanes.extend(leftovers);
            self.add(context.name, planned);
        }
    }

    /// Removes the add-ons that left the repository.
    fn withdraw(&mut self, (input, occupants): (&Input<'_>, &Occupants<'_>), pruned: &Pruned) {
        for unit in &pruned.leaving {
            if input.repository.blocked.contains_key(unit) {
                continue;
            }
            self.lanes.extend(leftovers(input, unit));
            if input.fleet.cluster_addons.get(unit).is_some_and(|clusters| !clusters.is_empty()) {
                self.add(unit, withdraw::withdrawn((input, occupants), unit, pruned.obstacle.clone()));
            }
        }
    }

    /// Answers the requests of agents, and removes what former agents needed on the hub.
    fn answer_agents(&mut self, input: &Input<'_>, memo: &mut Memo) {
        self.lanes.extend(unit::grants::abandoned(input));
        self.lanes.extend(token::left(input));
        let requests = unit::requests::judged(input, memo);
        self.lanes.extend(requests.lanes);
        self.issues = requests.issues;
        self.suspects = requests.suspects;
        self.look_at = sooner(self.look_at, requests.has_more.then_some(input.now));
    }

    /// Reports the add-ons about which nothing was planned, and what later plans need.
    fn conclude(&mut self, input: &Input<'_>, refused: BTreeMap<UnitName, String>) {
        self.report.addons.extend(candidate::reports(input));
        let is_given_up = |name: &&UnitName| {
            let on_clusters = input.fleet.cluster_addons.get(*name).is_some_and(|clusters| !clusters.is_empty());
            on_clusters && !self.report.addons.contains_key(*name) && !input.repository.blocked.contains_key(*name)
        };
        self.report.given_up = input.past.report.addons.keys().filter(is_given_up).cloned().collect();
        let is_absent = |name: &UnitName| {
            !input.repository.addons.contains_key(name) && !input.repository.candidates.contains_key(name)
        };
        let absent = input.repository.blocked.iter().filter(|(name, _)| is_absent(name));
        let never_good = absent.filter_map(|(name, complaints)| Some((name.clone(), complaints.first()?.to_string())));
        for (name, problem) in never_good.chain(refused) {
            let report = AddonReport { phase: Phase::Refused, problem: Some(problem), ..AddonReport::default() };
            self.report.addons.insert(name, report.into());
        }
        if self.report.is_underway() {
            self.report.unseen = input.past.report.unseen.clone();
        }
        if self.report.measures_time() {
            self.report.clock = input.past.report.clock.clone();
        }
        if input.is_first_look() {
            self.look_at = Some(input.now);
        }
    }

    fn add(&mut self, name: &UnitName, planned: Planned) {
        self.lanes.extend(planned.lanes);
        self.requests.extend(planned.requests);
        self.look_at = sooner(self.look_at, planned.report.look_at);
        self.report.notices.extend(planned.notices);
        self.report.overrides.extend(planned.overrides);
        self.report.addons.insert(name.clone(), planned.report);
    }
}

/// Returns the complete readings among the selections, and the previous ones where there is no newer one.
fn readings(input: &Input<'_>, selections: &Selections) -> Readings {
    let is_read =
        |(name, s): &(&NamespacedName, &Shared<Selection>)| !s.is_partial || input.past.readings.contains_key(*name);
    let read = selections.iter().filter(is_read);
    read.map(|(name, selection)| (name.clone(), selection.groups.clone())).collect()
}

/// Returns the add-ons that are refused, each with the reason.
fn refused(input: &Input<'_>) -> BTreeMap<UnitName, String> {
    let refused = |name: &UnitName| Some((name.clone(), refusal(input, name)?.to_string()));
    input.repository.addons.keys().filter_map(refused).collect()
}

//! The plan of a change, as a whole.

use std::collections::{BTreeMap, BTreeSet};

use super::addon::{Halves, planned};
use super::declared::with_declared;
use super::document::{AddonPlan, Change, DeclaredChange, Finding, FleetSource, Plan, Verdict};
use super::half::Half;
use super::moves;
use super::request::{Request, Side};
use super::rules;
use super::schedule::Circumstances;
use super::way_back;
use tidegate_api::fleet::Fleet;
use tidegate_api::mark::Mark;
use tidegate_consent::Approvals;
use tidegate_delivery::upstream::Delivery;
use tidegate_model::document::API_VERSION;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::{GroupKind, ObjectKey};
use tidegate_model::plural::{counted, first_of};
use tidegate_plan::{Input, Outlook, Outlooks, Ownership, Past, PlacementMode, remedy, would_hold};
use tidegate_repository::{Archive, ClusterContents, Complaint, Loaded, Repository, Rights};
use tidegate_rollout::Status;
use tidegate_rollout::gate::checks::Observations;

/// Number of objects that a notice names.
const NAMED: usize = 5;

/// Returns what a change does to a fleet.
pub fn propose(request: &Request<'_>) -> Plan {
    let rendered = Rendered::of(request);
    proposed(&rendered.in_request(request))
}

fn proposed(request: &Request<'_>) -> Plan {
    let Request { base, head, .. } = request;
    let given = Given::of(request);
    let ownership = given.ownership(request);
    let base_fleet = with_declared(request.fleet, base.repository, None, ownership);
    let head_fleet = &with_declared(request.fleet, head.repository, Some(base.repository), ownership);
    let before = Outlooks::new(&given.input(request, base.repository, &base_fleet));
    let after = Outlooks::new(&given.input(request, head.repository, head_fleet));
    let names: BTreeSet<&UnitName> = base.repository.addons.keys().chain(head.repository.addons.keys()).collect();
    // What clusters have of a candidate stays as it is.
    let is_wanted = |name: &&UnitName| is_asked(request, name) && !head.repository.candidates.contains_key(*name);
    let mut notices = held_in_base(base.loaded, request.only);
    notices.extend(candidates(request));
    let mut affected = BTreeSet::new();
    let mut addons = Vec::new();
    for name in names.into_iter().filter(is_wanted) {
        let halves = (
            Half::of(name, base.loaded, base.repository, &before),
            Half::of(name, head.loaded, head.repository, &after),
        );
        let semantics = head.repository.settings.rules().engine;
        let latency = request.latencies.get(name).copied();
        let circumstances = Circumstances { semantics, now: request.now, latency };
        let halves = Halves { base: halves.0.as_ref(), head: halves.1.as_ref(), after: head.repository };
        let planned = planned(name, &halves, head_fleet, circumstances);
        affected.extend(planned.affected);
        notices.extend(planned.notices);
        addons.push(planned.plan);
    }
    let objects = if request.only.is_some() { Vec::new() } else { objects(base.repository, head.repository) };
    let complaints = findings(request);
    let result = verdict(&addons, &objects, &complaints);
    notices.extend(braked(base.repository, head.repository, &objects));
    notices.extend(of_others(request.fleet, head.repository, ownership));
    notices.extend(unreachable(&affected, head_fleet));
    notices.extend(forbidden(request));
    notices.extend(moves::notices(request).into_iter().chain(way_back::lost(request)));
    if addons.iter().any(|addon| !addon.waves.is_empty() && addon.expected.is_none()) {
        notices.push(
            "how long clusters take is not known: the journal has no completed rollout of these add-ons".to_owned(),
        );
    }
    Plan {
        api_version: API_VERSION.to_owned(),
        kind: "Plan".to_owned(),
        base: base.revision.clone(),
        head: head.revision.clone(),
        fleet: FleetSource {
            source: request.source.to_owned(),
            clusters: head_fleet.clusters.len(),
            as_of: request.as_of,
        },
        result,
        clusters: affected.len(),
        addons,
        objects,
        rules: rules::changed(request),
        complaints,
        policies: Vec::new(),
        approvals: Vec::new(),
        notices,
    }
}

/// Returns what each add-on of the head has to do on the fleet, if any cluster is to start.
pub fn rollouts(request: &Request<'_>) -> BTreeMap<UnitName, Outlook> {
    let rendered = Rendered::of(request);
    let request = &rendered.in_request(request);
    let Request { base, head, .. } = request;
    let given = Given::of(request);
    let fleet = with_declared(request.fleet, head.repository, Some(base.repository), given.ownership(request));
    let outlooks = Outlooks::new(&given.input(request, head.repository, &fleet));
    let starts = |outlook: &Outlook| {
        let mut statuses = outlook.placements.iter().flat_map(|placement| &placement.statuses);
        statuses.any(|status| status.status == Status::ToApply)
    };
    let found = head.repository.addons.keys().filter_map(|name| Some((name.clone(), outlooks.addon(name)?)));
    found.filter(|(_, outlook)| starts(outlook)).collect()
}

/// Both repositories with what each cluster gets; `None` where nothing depends on the cluster.
struct Rendered {
    base: Option<Repository>,
    head: Option<Repository>,
}

impl Rendered {
    fn of(request: &Request<'_>) -> Self {
        let Request { base, head, .. } = request;
        let is_per_cluster = |side: &Side<'_>| side.repository.addons.values().any(|unit| unit.per_cluster.is_some());
        if !is_per_cluster(base) && !is_per_cluster(head) {
            return Self { base: None, head: None };
        }
        let given = Given::of(request);
        let ownership = given.ownership(request);
        let base_fleet = with_declared(request.fleet, base.repository, None, ownership);
        let head_fleet = with_declared(request.fleet, head.repository, Some(base.repository), ownership);
        Self {
            base: ClusterContents::default().of(base.repository, &base_fleet.clusters),
            head: ClusterContents::default().of(head.repository, &head_fleet.clusters),
        }
    }

    fn in_request<'a>(&'a self, request: &Request<'a>) -> Request<'a> {
        let side = |side: &Side<'a>, rendered: &'a Option<Repository>| Side {
            repository: rendered.as_ref().unwrap_or(side.repository),
            ..side.clone()
        };
        Request { base: side(&request.base, &self.base), head: side(&request.head, &self.head), ..*request }
    }
}

/// The inputs of a plan that are the same for both revisions.
struct Given {
    unobserved: BTreeSet<GroupKind>,
    past: Past,
    /// The configurations of both.
    archive: Archive,
}

impl Given {
    fn of(request: &Request<'_>) -> Self {
        let mut archive = Archive::default();
        archive.add(request.base.repository);
        archive.add(request.head.repository);
        Self { unobserved: BTreeSet::new(), past: Past::default(), archive }
    }

    /// Returns the rules that decide who owns an object.
    fn ownership<'a>(&'a self, request: &Request<'a>) -> Ownership<'a> {
        Ownership { instance: request.instance, adopt: &request.head.repository.operator.adopt }
    }

    fn input<'a>(&'a self, request: &Request<'a>, repository: &'a Repository, fleet: &'a Fleet) -> Input<'a> {
        let Self { unobserved, past, archive } = self;
        Input {
            repository,
            fleet,
            unobserved,
            placement_mode: PlacementMode::Builtin,
            // A forecast is the same for both deliveries: the engine decides.
            delivery: Delivery::Native,
            instance: request.instance,
            revision: None,
            past,
            archive,
            approvals: Approvals::none(),
            observations: Observations::none(),
            now: request.now,
        }
    }
}

/// The kinds whose changes are shown with their add-on.
const OF_ADDONS: [&str; 4] =
    ["ClusterManagementAddOn", "AddOnTemplate", "AddOnDeploymentConfig", "ManagedClusterAddOn"];

fn objects(base: &Repository, head: &Repository) -> Vec<DeclaredChange> {
    let keys: BTreeSet<_> = base.objects.keys().chain(head.objects.keys()).collect();
    let others = keys.into_iter().filter(|key| !OF_ADDONS.contains(&key.kind.as_str()));
    let change = |key: &&ObjectKey| match (base.objects.get(*key), head.objects.get(*key)) {
        (None, _) => Some(Change::Added),
        (_, None) => Some(Change::Removed),
        (Some(before), Some(after)) => (before.object != after.object).then_some(Change::Changed),
    };
    let declared = others.filter_map(|key| Some(DeclaredChange { object: key.to_string(), change: change(&key)? }));
    declared.collect()
}

/// Returns a notice if other instances own declared objects, which the daemon then leaves as they are. Those of add-ons block them.
fn of_others(fleet: &Fleet, repository: &Repository, ownership: Ownership<'_>) -> Option<String> {
    let owner = |key: &ObjectKey| ownership.other_mark(fleet.declared.get(key)?);
    let keys = repository.objects.keys().filter(|key| !OF_ADDONS.contains(&key.kind.as_str()));
    let others: Vec<(String, Mark)> = keys.filter_map(|key| Some((key.to_string(), owner(key)?))).collect();
    let (_, first) = others.first()?;
    let names: Vec<&str> = others.iter().map(|(name, _)| name.as_str()).collect();
    Some(format!(
        "these objects on the hub belong to {first}, so they stay as they are there: {}; {}",
        first_of(names.into_iter(), NAMED),
        remedy(first)
    ))
}

/// Returns what is said of add-ons that have errors in the base: what clusters have of them is not known.
fn held_in_base(base: &Loaded, only: Option<&str>) -> Vec<String> {
    let blocked = base.repository.blocked.keys().filter(|name| only.is_none_or(|only| only == name.as_str()));
    blocked
        .map(|name| format!("{name} has errors in the base, so it is not known what changes for its clusters"))
        .collect()
}

fn is_asked(request: &Request<'_>, name: &UnitName) -> bool {
    request.only.is_none_or(|only| only == name.as_str())
}

/// Returns what is said of the candidates of the head.
fn candidates(request: &Request<'_>) -> Vec<String> {
    let candidates = request.head.repository.candidates.iter().filter(|(name, _)| is_asked(request, name));
    candidates
        .map(|(name, place)| {
            format!("{name} is a candidate (revision-only at {place}): nothing is rolled out, and clusters keep what they have")
        })
        .collect()
}

/// Returns what the work agents of clusters lack to apply the applications of the head, unless they lacked it for the base as well.
fn forbidden(request: &Request<'_>) -> Vec<String> {
    let (base, head) = (request.base.repository, request.head.repository);
    let (before, after) = (Rights::of(base), Rights::of(head));
    let notes = |rights: &Rights<'_>, name: &UnitName| {
        rights.lacking(name).map(|lacking| lacking.notes(name)).unwrap_or_default()
    };
    let is_same = before.is_same(&after);
    let may_differ = |name: &&UnitName| !is_same || base.digest(name) != head.digest(name);
    let applications = head.addons.keys().filter(|name| name.addon().is_none() && is_asked(request, name));
    let new = applications.filter(may_differ).flat_map(|name| {
        let known = notes(&before, name);
        notes(&after, name).into_iter().filter(move |note| !known.contains(note))
    });
    new.collect()
}

/// Returns a notice if more objects leave the repository than may be removed at once.
fn braked(base: &Repository, head: &Repository, objects: &[DeclaredChange]) -> Option<String> {
    let going = objects.iter().filter(|object| object.change == Change::Removed).map(|object| object.object.clone());
    let hold = would_hold(&head.settings.prune, going.collect(), base.objects.len(), false)?;
    Some(format!(
        "the removal of {} is held: at most {} may be removed at once; after the merge, a person confirms it with [prune] confirm in \
         tidegate.toml",
        counted(hold.held.len(), "object"),
        hold.limit
    ))
}

/// Returns the errors of the head, and the warnings that the base does not have.
fn findings(request: &Request<'_>) -> Vec<Finding> {
    let Request { base, head, only, .. } = request;
    let known: BTreeSet<&str> =
        base.loaded.complaints.iter().map(|complaint| complaint.diagnostic.message.as_str()).collect();
    let is_shown = |complaint: &&Complaint| {
        let is_wanted = only.is_none_or(|only| complaint.addons.iter().any(|name| name.as_str() == only));
        is_wanted && (complaint.is_error() || !known.contains(complaint.diagnostic.message.as_str()))
    };
    let finding = |complaint: &Complaint| Finding {
        place: complaint.diagnostic.place.to_string(),
        message: complaint.diagnostic.message.clone(),
        is_error: complaint.is_error(),
    };
    head.loaded.complaints.iter().filter(is_shown).map(finding).collect()
}

fn verdict(addons: &[AddonPlan], objects: &[DeclaredChange], complaints: &[Finding]) -> Verdict {
    let is_blocked = addons.iter().any(|addon| !addon.blocked.is_empty());
    if is_blocked || complaints.iter().any(|complaint| complaint.is_error) {
        return Verdict::Blocked;
    }
    let has_changes = addons.iter().any(|addon| addon.change != Change::Unchanged) || !objects.is_empty();
    if has_changes { Verdict::Changes } else { Verdict::Nothing }
}

/// Returns a notice about clusters that cannot be reached.
fn unreachable(affected: &BTreeSet<ClusterName>, fleet: &Fleet) -> Option<String> {
    let is_unreachable =
        |name: &&ClusterName| fleet.clusters.get(*name).is_some_and(|cluster| cluster.is_unreachable());
    let unreachable = affected.iter().filter(is_unreachable).count();
    (unreachable > 0).then(|| {
        format!(
            "{} of those that change cannot be reached at the moment; each takes a slot until its deadline, and then counts as failed",
            counted(unreachable, "cluster")
        )
    })
}

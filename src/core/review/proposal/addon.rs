//! What happens to one add-on.

use std::collections::{BTreeMap, BTreeSet};

use super::class::{Folded, Member, Place, fold};
use super::document::{AddonPlan, AddonSide, Change, Class, GroupPlan, Overlap, SettingChange};
use super::half::Half;
use super::label::Labels;
use super::names::folded as folded_names;
use super::rendering::Renderer;
use super::schedule::{Circumstances, Schedule, groups, schedule};
use super::{components, left_out, required, setting, strategy};
use tidegate_api::fleet::Fleet;
use tidegate_delivery::status::{Desired, layer};
use tidegate_model::name::version_of;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::plural::counted;
use tidegate_model::time::GoDuration;
use tidegate_plan::{Guards, Outlooks, PlacementOutlook, Target, would_hold};
use tidegate_repository::control::Mode;
use tidegate_repository::{Loaded, Repository};
use tidegate_rollout::forecast::group_name;

impl<'a> Half<'a> {
    pub(super) fn of(
        name: &UnitName,
        loaded: &'a Loaded,
        repository: &'a Repository,
        outlooks: &Outlooks<'_>,
    ) -> Option<Self> {
        let (addon, outlook) = (repository.addons.get(name)?, outlooks.addon(name)?);
        Some(Self { loaded, repository, addon, outlook })
    }

    fn side(&self, name: &UnitName) -> AddonSide {
        let lists = self.outlook.placements.iter().map(|placement| &placement.desired);
        let templates = lists.filter_map(|desired| layer::content(desired));
        let versions: BTreeSet<String> = templates.map(|desired| version_of(name, &desired.reference.name)).collect();
        AddonSide {
            version: versions.into_iter().collect::<Vec<_>>().join(", "),
            digest: self.addon.digest.short().to_owned(),
        }
    }

    fn permissions(&self, name: &UnitName) -> BTreeSet<String> {
        let own = self.loaded.hub_permissions.iter().filter(|permission| permission.addons.contains(name));
        own.map(|permission| format!("{} {}", permission.role, permission.scope)).collect()
    }
}

fn group(placement: &PlacementOutlook, index: Option<i32>, has_several: bool) -> String {
    let group = index.map_or_else(|| "by hand".to_owned(), |index| group_name(&placement.groups, index));
    match placement.placement.as_ref().filter(|_| has_several) {
        Some(placement) => format!("{placement}: {group}"),
        None => group,
    }
}

/// An add-on in both revisions.
pub(super) struct Halves<'a> {
    pub(super) base: Option<&'a Half<'a>>,
    pub(super) head: Option<&'a Half<'a>>,
    /// The head as a whole, which may not have the add-on.
    pub(super) after: &'a Repository,
}

/// What happens to an add-on, with what does not belong to its plan.
pub(super) struct Planned {
    pub(super) plan: AddonPlan,
    /// The clusters for which something changes.
    pub(super) affected: BTreeSet<ClusterName>,
    pub(super) notices: Vec<String>,
}

/// Returns what happens to an add-on that at least one of the revisions has.
pub(super) fn planned(name: &UnitName, halves: &Halves<'_>, fleet: &Fleet, circumstances: Circumstances) -> Planned {
    let Halves { base, head, after: repository } = *halves;
    let settings = setting::changes(
        base.map(|half| (half.repository, half.addon)),
        head.map(|half| (half.repository, half.addon)),
    );
    // A group is named alike in both revisions.
    let has_several = base.into_iter().chain(head).any(|half| half.outlook.placements.len() > 1);
    let (before, after) = (places(base, has_several), places(head, has_several));
    let excluded = excluded(name, halves, &after);
    let is_left_out = |cluster: &&ClusterName| excluded.contains(*cluster) && !before.contains_key(*cluster);
    let clusters = before.keys().copied().chain(after.keys().copied()).filter(|cluster| !is_left_out(cluster));
    let clusters: BTreeSet<&ClusterName> = clusters.collect();
    let kept = kept(halves);
    let stays = |cluster, wanted: &Target, before: &Target| {
        excluded.contains(cluster) || has(fleet, name, cluster, wanted, before)
    };
    let member = |cluster| Member {
        cluster,
        before: before.get(cluster).map(|(target, group)| {
            let wanted = after.get(cluster).map(|(target, _)| *target);
            Place { target: wanted.filter(|wanted| stays(cluster, wanted, target)).unwrap_or(target), group }
        }),
        after: after.get(cluster).map(|(target, group)| Place { target, group }),
        obstacle: kept.as_deref().filter(|_| !after.contains_key(cluster)),
    };
    let members: Vec<Member<'_>> = clusters.into_iter().map(member).collect();
    let labels = Labels::of(members.iter().map(|member| fleet.clusters.get(member.cluster).map(|cluster| &**cluster)));
    let folded = fold(&members, &labels, &mut Renderer::new(name, repository.settings.rules()));
    let affected = folded.changed.union(&folded.removed).map(|cluster| (*cluster).clone()).collect();
    let foreign = head.into_iter().filter(|_| !settings.is_empty()).flat_map(|half| &half.outlook.placements);
    let foreign: usize = foreign.map(|placement| placement.foreign.len()).sum();
    let foreign = (foreign > 0)
        .then(|| format!("{name} of another instance is on {}, and stays as it is", counted(foreign, "cluster")));
    let in_quarantine = in_quarantine(name, &excluded);
    let held = left_out::without_canaries(name, head);
    let refusal = head.filter(|_| !settings.is_empty()).and_then(|half| half.outlook.refusal.as_ref());
    let placements = head.into_iter().filter(|_| !settings.is_empty()).flat_map(|half| &half.outlook.placements);
    let empty: Vec<String> = placements
        .filter(|outlook| outlook.problem.is_none() && outlook.overlaps.is_empty())
        .filter(|outlook| outlook.groups.iter().all(|group| group.clusters.is_empty()))
        .filter_map(|outlook| {
            let placement = outlook.placement.as_ref()?;
            Some(format!(
                "{name}: Placement {placement} selects none of the {}",
                counted(fleet.clusters.len(), "cluster")
            ))
        })
        .collect();
    let managed = refusal
        .filter(|refusal| refusal.depends_on_delivery())
        .map(|refusal| format!("{name}: {refusal}; a daemon that delivers through that manager does not need this"));
    let of_clusters = foreign.into_iter().chain(in_quarantine);
    let orders = components::orders(name, base, head);
    Planned {
        plan: composed(name, halves, settings, (folded, &excluded), (fleet, circumstances)),
        affected,
        notices: of_clusters.chain(held).chain(managed).chain(empty).chain(orders).collect(),
    }
}

/// Returns a notice about the clusters that get nothing new, because they are in quarantine.
fn in_quarantine(name: &UnitName, excluded: &BTreeSet<&ClusterName>) -> Option<String> {
    (!excluded.is_empty()).then(|| {
        let names = folded_names(excluded.iter().copied());
        let get = if excluded.len() == 1 { "gets" } else { "get" };
        format!("{name}: {} in quarantine ({names}) {get} nothing new", counted(excluded.len(), "cluster"))
    })
}

/// Returns the clusters of an add-on, each with what it should have and the name of its group.
fn places<'h>(half: Option<&'h Half<'_>>, has_several: bool) -> BTreeMap<&'h ClusterName, (&'h Target, String)> {
    let placements = half.into_iter().flat_map(|half| &half.outlook.placements);
    let targets = placements.flat_map(|placement| placement.targets.iter().map(move |entry| (placement, entry)));
    let place = |(placement, (cluster, target)): (&PlacementOutlook, (&'h ClusterName, &'h Target))| {
        (cluster, (target, group(placement, target.group, has_several)))
    };
    targets.map(place).collect()
}

/// Returns the clusters that should have an add-on, and get nothing new because the head excludes them.
fn excluded<'h>(
    name: &UnitName,
    halves: &Halves<'_>,
    after: &BTreeMap<&'h ClusterName, (&'h Target, String)>,
) -> BTreeSet<&'h ClusterName> {
    let controls = &halves.after.controls;
    let mode = |cluster: &ClusterName| controls.quarantine(name, cluster).map(|(_, quarantine)| quarantine.mode);
    after.keys().copied().filter(|cluster| mode(cluster) == Some(Mode::Exclude)).collect()
}

/// Returns `true` if a cluster already has what it should have, although the revision before gives it something else: a rollout has not
/// reached it, or it is past what is declared.
fn has(fleet: &Fleet, name: &UnitName, cluster: &ClusterName, wanted: &Target, before: &Target) -> bool {
    let installed = fleet.cluster_addons.get(name).and_then(|clusters| clusters.get(cluster));
    let configs: Vec<_> = wanted.desired.iter().map(Desired::config).collect();
    let has_configs = installed.is_some_and(|addon| addon.has_desired(&configs));
    !configs.is_empty() && has_configs && wanted.registries == before.registries
}

/// Returns why clusters keep the add-on although they should not have it; `None` if they lose it.
fn kept(halves: &Halves<'_>) -> Option<String> {
    let Halves { base, head, after } = halves;
    let problem = |half: &Half<'_>| half.outlook.placements.iter().find_map(|placement| placement.problem.clone());
    match head {
        Some(head) => problem(head).map(|problem| format!("nothing is removed: {problem}")),
        None if base.is_some() && !after.settings.prune.enabled => {
            Some("nothing is removed: prune.enabled in tidegate.toml is false".to_owned())
        }
        None => (!after.may_prune).then(|| "nothing is removed: the revision has errors".to_owned()),
    }
}

fn composed(
    name: &UnitName,
    halves: &Halves<'_>,
    settings: Vec<SettingChange>,
    (folded, excluded): (Folded<'_>, &BTreeSet<&ClusterName>),
    (fleet, circumstances): (&Fleet, Circumstances),
) -> AddonPlan {
    let Halves { base, head, .. } = *halves;
    let held = head.and_then(|half| half.repository.held.get(name));
    let digest = |half: Option<&Half<'_>>| half.map(|half| half.addon.digest.clone());
    let is_unchanged = settings.is_empty() && folded.classes.is_empty() && digest(base) == digest(head);
    let change = match (base, head) {
        _ if held.is_some() => Change::Blocked,
        (None, Some(_)) => Change::Added,
        (Some(_), None) | (None, None) => Change::Removed,
        _ if is_unchanged => Change::Unchanged,
        _ => Change::Changed,
    };
    let placements = head.map(|half| half.outlook.placements.as_slice()).unwrap_or_default();
    // Another strategy alone may let clusters start that wait for the base.
    let guards = Guards { addon: name, base: base.map(|half| half.repository), head: halves.after, fleet };
    let runs = if is_unchanged {
        Schedule::default()
    } else {
        schedule(placements, (&folded.undeliverable, excluded), circumstances, &guards)
    };
    let mut blocked: Vec<String> =
        held.into_iter().flat_map(|held| &held.complaints).map(ToString::to_string).collect();
    if !is_unchanged {
        blocked.extend(placements.iter().filter_map(|placement| placement.problem.clone()));
        let refusal = head.and_then(|half| half.outlook.refusal.as_ref());
        blocked.extend(refusal.filter(|refusal| !refusal.depends_on_delivery()).map(ToString::to_string));
    }
    blocked.extend(runs.blocked);
    blocked.extend(braked(base, head, &folded));
    blocked.extend(folded.classes.iter().filter_map(Class::obstacle));
    let mut gates = runs.gates;
    gates.extend(required::required(head).filter(|_| !runs.waves.is_empty()));
    let permissions = |half: Option<&Half<'_>>| half.map(|half| half.permissions(name)).unwrap_or_default();
    let span = |span| GoDuration(span).to_string();
    AddonPlan {
        name: name.clone(),
        change,
        base: base.map(|half| half.side(name)),
        head: head.map(|half| half.side(name)),
        settings,
        unchanged: folded.unchanged,
        placements: placements.iter().map(strategy::placement).collect(),
        groups: all_groups(placements, &folded),
        overlaps: head.map(overlaps).unwrap_or_default(),
        waves: runs.waves,
        gates,
        earliest: runs.earliest.map(span),
        expected: runs.expected.map(span),
        blocked,
        removed: folded.removed.len(),
        works: folded.works,
        permissions: permissions(head.filter(|_| held.is_none())).difference(&permissions(base)).cloned().collect(),
        classes: folded.classes,
    }
}

/// Returns why the removal from clusters is held, if it is beyond the limits.
fn braked(base: Option<&Half<'_>>, head: Option<&Half<'_>>, folded: &Folded<'_>) -> Option<String> {
    let limits = &head.or(base)?.repository.settings.prune;
    let total =
        base.into_iter().flat_map(|half| &half.outlook.placements).map(|placement| placement.targets.len()).sum();
    let going = folded.removed.iter().map(ToString::to_string).collect();
    let hold = would_hold(limits, going, total, true)?;
    Some(format!(
        "the removal from {} of {total} clusters is held: at most {} may lose the add-on at once; after the merge, a person confirms it with \
         [prune] confirm in tidegate.toml",
        hold.held.len(),
        hold.limit
    ))
}

/// Returns the groups of the placements, with the number of clusters that change.
fn all_groups(placements: &[PlacementOutlook], folded: &Folded<'_>) -> Vec<GroupPlan> {
    let with_changes = |placement: &PlacementOutlook| -> Vec<GroupPlan> {
        let mut changed: BTreeMap<i32, usize> = BTreeMap::new();
        for (_, target) in placement.targets.iter().filter(|(cluster, _)| folded.changed.contains(cluster)) {
            *changed.entry(target.group.unwrap_or_default()).or_default() += 1;
        }
        let count =
            |group: GroupPlan| GroupPlan { changed: changed.get(&group.index).copied().unwrap_or_default(), ..group };
        groups(placement).map(count).collect()
    };
    placements.iter().flat_map(with_changes).collect()
}

fn overlaps(half: &Half<'_>) -> Vec<Overlap> {
    let placements = &half.outlook.placements;
    let name = |placement: Option<&PlacementOutlook>| {
        placement.and_then(|placement| placement.placement.as_ref()).map(ToString::to_string).unwrap_or_default()
    };
    let of_one = |placement: &PlacementOutlook| -> Vec<Overlap> {
        let overlap = |(winner, clusters): (&usize, &usize)| Overlap {
            placement: name(Some(placement)),
            winner: name(placements.get(*winner)),
            clusters: *clusters,
            kind: half.addon.overlap(),
        };
        placement.overlaps.iter().map(overlap).collect()
    };
    placements.iter().flat_map(of_one).collect()
}

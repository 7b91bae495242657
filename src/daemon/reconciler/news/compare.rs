//! The differences between two consecutive reports.

use std::collections::BTreeSet;

use super::clusters;
use super::gates;
use super::item::News;
use tidegate_model::name::UnitName;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_plan::report::{AddonReport, ClusterReport, ROLLED_BACK, Report};

/// Returns what happened between two reports.
///
/// `before` is `None` in the first tick of a process. Everything in `after` happened earlier then, so only what is still open is
/// reported, in one item for each add-on: otherwise every restart would announce everything again.
///
/// # Shape
/// Sorted by add-on, with at most one item for each add-on and kind. News that concerns no single add-on comes last.
pub fn compare(before: Option<&Report>, after: &Report) -> Vec<News> {
    let mut news = Vec::new();
    for (name, report) in after.addons.iter().filter(|(_, report)| is_known(report)) {
        match before {
            None => news.extend(standing(name, report)),
            Some(before) if before.addons.get(name).is_some_and(|before| before.is_same(report)) => {}
            Some(before) => {
                let before = before.addon(name).filter(|report| is_known(report));
                changes(name, before, report, &mut news);
            }
        }
    }
    for (name, report) in before.iter().flat_map(|before| &before.addons) {
        if !after.addons.contains_key(name) && is_known(report) {
            news.push(News::AddonWithdrawn { addon: name.clone(), clusters: report.counts().total });
        }
    }
    brakes(before, after, &mut news);
    overrides(before, after, &mut news);
    news
}

/// Returns what happened between the report in the journal and the one of the first tick of a process: what people may not know yet.
/// The journal does not distinguish held changes from other messages, so it is not known which of them are released.
pub fn since_journal((journal, after): (&Report, &Report)) -> Vec<News> {
    let news = compare(Some(journal), after).into_iter();
    news.filter(|news| !matches!(news, News::BrakeReleased { .. })).collect()
}

/// Returns `true` unless the report only states that the hub does not have the add-on yet.
fn is_known(report: &AddonReport) -> bool {
    report.phase == Phase::Refused || !report.placements.is_empty() || !report.clusters.is_empty()
}

/// Returns the one thing about an add-on that is still open when a process starts.
fn standing(name: &UnitName, after: &AddonReport) -> Option<News> {
    let is_done = after.phase == Phase::Completed || after.clusters.is_empty();
    let underway =
        || News::RolloutUnderway { addon: name.clone(), to: after.version.clone(), clusters: unfinished(after) };
    let awaited = || gates::awaited(name, after);
    impediment(name, after)
        .or_else(awaited)
        .or_else(|| (!is_done).then(underway))
        .or_else(|| clusters::degraded(name, after))
}

/// Returns what keeps an add-on from being managed, or its rollout from continuing.
fn impediment(name: &UnitName, report: &AddonReport) -> Option<News> {
    let addon = name.clone();
    let reason = report.problem.clone().unwrap_or_default();
    match report.phase {
        Phase::Refused => Some(News::AddonRefused { addon, reason }),
        Phase::Stopped => Some(stopped(addon, report)),
        _ if reason.starts_with(ROLLED_BACK) => {
            Some(News::RolledBack { addon, to: report.version.clone(), clusters: report.counts().total, reason })
        }
        Phase::Held => Some(News::AddonHeld { addon, reason }),
        // Removal from clusters is reported as separate news.
        Phase::Removing => None,
        Phase::Completed | Phase::Progressing => report.problem.is_some().then_some(News::AddonHeld { addon, reason }),
    }
}

fn stopped(addon: UnitName, report: &AddonReport) -> News {
    let groups = report.placements.iter().flat_map(|placement| &placement.groups);
    let failed = groups.filter(|group| group.counts.failed > 0).map(|group| match group.name.as_str() {
        "" => format!("group {}", group.index),
        name => name.to_owned(),
    });
    let reason = report.stopped_by.clone().or_else(|| report.problem.clone()).unwrap_or_default();
    News::RolloutStopped { addon, to: report.version.clone(), group: failed.into_iter().next(), reason }
}

/// Counts the clusters that do not have the desired configuration yet.
fn unfinished(report: &AddonReport) -> usize {
    let is_open = |cluster: &&ClusterReport| cluster.state != ClusterState::Succeeded && !cluster.state.is_unselected();
    report.clusters.values().filter(is_open).count()
}

fn changes(name: &UnitName, before: Option<&AddonReport>, after: &AddonReport, news: &mut Vec<News>) {
    let empty = AddonReport::default();
    let known = before.is_some();
    let before = before.unwrap_or(&empty);
    standing_changes(name, (known, before), after, news);
    if after.phase != Phase::Refused {
        let is_another = !is_same_target(before, after);
        rollout_changes(name, (before, after), is_another, news);
        news.extend(gates::changes(name, before, after));
        news.extend(clusters::changes(name, (before, after), is_another));
    }
}

/// Reports that an add-on became refused, held or stopped, or no longer is. A problem in which only the numbers differ is
/// not reported again: they may change in every tick.
fn standing_changes(
    name: &UnitName,
    (is_known, before): (bool, &AddonReport),
    after: &AddonReport,
    news: &mut Vec<News>,
) {
    let addon = || name.clone();
    let key = |report: &AddonReport| match impediment(name, report) {
        Some(News::AddonRefused { reason, .. }) => Some((Phase::Refused, lasting(&reason))),
        Some(News::AddonHeld { reason, .. } | News::RolledBack { reason, .. }) => {
            Some((Phase::Progressing, lasting(&reason)))
        }
        Some(_) => Some((Phase::Stopped, String::new())),
        None => None,
    };
    let (was, is) = (if is_known { key(before) } else { None }, key(after));
    if was == is {
        return;
    }
    news.extend(impediment(name, after));
    let was_held = was.is_some_and(|(phase, _)| phase != Phase::Stopped);
    let is_held = is.is_some_and(|(phase, _)| phase != Phase::Stopped);
    if was_held && !is_held {
        news.push(News::AddonReleased { addon: addon() });
    }
}

fn rollout_changes(
    name: &UnitName,
    (before, after): (&AddonReport, &AddonReport),
    is_another: bool,
    news: &mut Vec<News>,
) {
    let (addon, to) = (name.clone(), after.version.clone());
    let open = unfinished(after);
    let was_installed = !before.clusters.is_empty();
    match (before.phase, after.phase) {
        (_, Phase::Progressing | Phase::Stopped) if open > 0 && (is_another || !was_installed) => {
            let from = if was_installed { before.version.clone() } else { String::new() };
            news.push(News::RolloutStarted { addon, from, to, clusters: open });
        }
        (Phase::Stopped, Phase::Progressing) => news.push(News::RolloutResumed { addon, to }),
        (Phase::Progressing | Phase::Stopped, Phase::Completed) if was_installed && after.counts().total > 0 => {
            news.push(News::RolloutCompleted { addon, to, clusters: after.counts().succeeded });
        }
        _ => {}
    }
}

/// Returns `true` if both reports have the same configurations for the same placements.
fn is_same_target(before: &AddonReport, after: &AddonReport) -> bool {
    let target = |report: &AddonReport| -> Vec<(String, String, String, String)> {
        let of_placement = report.placements.iter().flat_map(|placement| {
            placement.configs.iter().map(|config| {
                let desired = &config.desired;
                (placement.placement.clone(), config.resource.clone(), desired.name.clone(), desired.hash.clone())
            })
        });
        of_placement.collect()
    };
    target(before) == target(after)
}

/// Reports which approvals override windows and freezes from now on.
fn overrides(before: Option<&Report>, after: &Report, news: &mut Vec<News>) {
    let known = before.map(|before| before.overrides.as_slice()).unwrap_or_default();
    let new = after.overrides.iter().filter(|reason| !known.contains(reason));
    news.extend(new.map(|reason| News::GatesOverridden { reason: reason.clone() }));
}

/// Reports which changes that concern no single add-on are held back, and which no longer are.
fn brakes(before: Option<&Report>, after: &Report, news: &mut Vec<News>) {
    let keys = |report: &Report| report.notices.iter().map(|notice| lasting(notice)).collect::<BTreeSet<_>>();
    let (had, has) = (before.map(keys).unwrap_or_default(), keys(after));
    let held = after.notices.iter().filter(|notice| !had.contains(&lasting(notice)));
    news.extend(held.map(|reason| News::BrakeHeld { reason: reason.clone() }));
    let released = before.into_iter().flat_map(|before| &before.notices);
    let released = released.filter(|notice| !has.contains(&lasting(notice)));
    news.extend(released.map(|reason| News::BrakeReleased { reason: reason.clone() }));
}

/// Returns a string without its digits: the part of a reason that stays the same while its numbers change.
fn lasting(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

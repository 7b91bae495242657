//! The waves as bars on a time line.

use std::collections::BTreeMap;

use tidegate_model::time::parse_go_duration;

use super::line::Line;
use super::span;
use crate::proposal::document::{AddonPlan, Wave};

/// Bars from the left to the right.
#[derive(Debug, Clone)]
pub(crate) struct Timeline {
    pub(crate) bars: Vec<Bar>,
    /// What the left and the right end mean.
    pub(crate) ends: [Line; 2],
    /// What the width means.
    pub(crate) meaning: &'static str,
}

/// A wave on a time line.
#[derive(Debug, Clone)]
pub(crate) struct Bar {
    pub(crate) label: Line,
    /// Where the bar starts and ends, in thousandths of the width.
    pub(crate) range: [u16; 2],
    /// Where the shaded part after the bar ends, in the same unit; the end of the bar if there is none.
    pub(crate) late: u16,
    pub(crate) text: Line,
}

/// The width of a time line.
const WIDTH: u64 = 1_000;
/// A bar is at least so wide that it can be seen.
const NARROWEST: u64 = 6;

/// Returns the time line of waves: by time as expected, at the earliest, or by the number of clusters if nothing takes any time.
pub(super) fn timeline(waves: &[(&AddonPlan, &Wave)]) -> Option<Timeline> {
    let expected = |wave: &Wave| Some([wave.expected_start.clone()?, wave.expected_done.clone()?]);
    let earliest = |wave: &Wave| Some([wave.starts.clone(), wave.done.clone()]);
    by_time(waves, expected, "The width is the expected time.")
        .or_else(|| by_time(waves, earliest, "The width is the time at the earliest."))
        .or_else(|| by_clusters(waves))
}

fn by_time(
    waves: &[(&AddonPlan, &Wave)],
    times: impl Fn(&Wave) -> Option<[String; 2]>,
    meaning: &'static str,
) -> Option<Timeline> {
    let seconds = |text: &str| parse_go_duration(text).ok().map(span::seconds);
    let range = |wave: &Wave| {
        let [from, to] = times(wave)?;
        Some([seconds(&from)?, seconds(&to)?])
    };
    let ranges: Vec<[u64; 2]> = waves.iter().map(|(_, wave)| range(wave)).collect::<Option<_>>()?;
    let end = ranges.iter().map(|range| range[1]).max().filter(|end| *end > 0)?;
    let ends = [Line::of("merge"), Line::of("+ ").span(&format!("{end}s"))];
    Some(Timeline { bars: bars(waves, &ranges, end), ends, meaning })
}

/// Returns a time line on which each stage is as wide as its share of the clusters.
fn by_clusters(waves: &[(&AddonPlan, &Wave)]) -> Option<Timeline> {
    let mut stages: BTreeMap<usize, u64> = BTreeMap::new();
    for (_, wave) in waves {
        let clusters = stages.entry(wave.stage).or_default();
        *clusters = clusters.saturating_add(u64::try_from(wave.clusters).unwrap_or(u64::MAX));
    }
    let mut at = 0_u64;
    let mut positions: BTreeMap<usize, [u64; 2]> = BTreeMap::new();
    for (stage, clusters) in stages {
        let next = at.saturating_add(clusters);
        positions.insert(stage, [at, next]);
        at = next;
    }
    let range = |(_, wave): &(&AddonPlan, &Wave)| positions.get(&wave.stage).copied().unwrap_or_default();
    let ranges: Vec<[u64; 2]> = waves.iter().map(range).collect();
    let ends = [Line::of("first clusters"), Line::of("last clusters")];
    let meaning = "The width is the share of the clusters, because it is not known how long they take.";
    (at > 0 && positions.len() > 1).then(|| Timeline { bars: bars(waves, &ranges, at), ends, meaning })
}

fn bars(waves: &[(&AddonPlan, &Wave)], ranges: &[[u64; 2]], end: u64) -> Vec<Bar> {
    let bar = |((addon, wave), times): (&(&AddonPlan, &Wave), &[u64; 2])| {
        let range = range(*times, end);
        // The bars of an add-on are few, so that its groups name them.
        let label = if wave.step.is_empty() { wave.group.clone() } else { wave.label(&addon.waves) };
        Bar {
            label: Line::default().name(addon.name.as_str()).words(" ").name(&label),
            range,
            late: range[1],
            text: Line::default().counted(wave.clusters, super::change::CLUSTERS),
        }
    };
    waves.iter().zip(ranges).map(bar).collect()
}

/// Returns where a bar starts and ends, in thousandths of the width. The time line ends at `end`.
pub(super) fn range([from, to]: [u64; 2], end: u64) -> [u16; 2] {
    let share = |part: u64| u128::from(part.min(end)) * u128::from(WIDTH) / u128::from(end.max(1));
    let position = |part: u64| u64::try_from(share(part)).unwrap_or(WIDTH);
    let from = position(from).min(WIDTH - NARROWEST);
    [from, position(to).max(from + NARROWEST)].map(|part| u16::try_from(part).unwrap_or_default())
}

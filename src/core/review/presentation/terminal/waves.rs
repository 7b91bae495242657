//! The waves of an add-on, with a bar for each.

use std::fmt::Write as _;

use owo_colors::OwoColorize as _;

use crate::proposal::document::{AddonPlan, Wave};
use tidegate_model::line::one_line;

/// The width of a bar in characters.
const WIDTH: usize = 24;

/// Writes the waves of an add-on, and when they are done.
pub(super) fn waves(text: &mut String, addon: &AddonPlan) {
    if addon.waves.is_empty() {
        return;
    }
    let total: usize = addon.waves.iter().map(|wave| wave.clusters).sum();
    let _ = writeln!(text, "    {}", "waves".bold());
    for (place, wave) in addon.waves.iter().enumerate() {
        let before = addon.waves.iter().take(place).map(|wave| wave.clusters).sum();
        let _ = writeln!(
            text,
            "      {:<16} {} {:>6}, {} at once, {}",
            wave_label((&wave.placement, &wave.group), addon.waves.iter().map(|other| other.placement.as_str())),
            bar(before, wave.clusters, total).cyan(),
            wave.clusters,
            wave.at_once,
            times(wave, addon)
        );
    }
    if !addon.gates.is_empty() {
        let _ = writeln!(text, "      gates: {}", one_line(&addon.gates.join(" · ")));
    }
    let earliest = addon.earliest.as_deref().unwrap_or("0s");
    let expected = addon.expected.as_deref();
    let expected =
        expected.map(|expected| format!("; {expected} if clusters take as long as before")).unwrap_or_default();
    let _ = writeln!(text, "      done {earliest} after the merge at the earliest{expected}");
}

/// Returns the group of a wave, with its placement if the waves have several.
pub(super) fn wave_label<'a>((placement, group): (&str, &str), mut all: impl Iterator<Item = &'a str>) -> String {
    if all.all(|other| other == placement) { one_line(group) } else { one_line(&format!("{placement}: {group}")) }
}

fn times(wave: &Wave, addon: &AddonPlan) -> String {
    if let (Some(starts), Some(done)) = (&wave.expected_start, &wave.expected_done) {
        return format!("starts after {starts}, done after {done}");
    }
    let mut before = addon.waves.iter().filter(|other| other.placement == wave.placement && other.stage < wave.stage);
    let at_least = format!("{} after the merge at the earliest", wave.starts);
    match (before.next_back(), wave.starts.as_str()) {
        (None, "0s") => "starts at the merge".to_owned(),
        (None, _) => format!("starts {at_least}"),
        (Some(before), "0s") => format!("starts after {}", one_line(&before.group)),
        (Some(before), _) => format!("starts after {}, {at_least}", one_line(&before.group)),
    }
}

/// Returns a bar in which a part is filled.
fn bar(before: usize, part: usize, total: usize) -> String {
    let scale = |clusters: usize| clusters * WIDTH / total.max(1);
    let (begin, end) = (scale(before), scale(before + part).max(scale(before) + 1).min(WIDTH));
    (0..WIDTH).map(|place| if (begin..end).contains(&place) { '█' } else { '·' }).collect()
}

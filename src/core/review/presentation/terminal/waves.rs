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
            one_line(&wave.label(&addon.waves)),
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

fn times(wave: &Wave, addon: &AddonPlan) -> String {
    if let (Some(starts), Some(done)) = (&wave.expected_start, &wave.expected_done) {
        return format!("starts after {starts}, done after {done}");
    }
    let at_least = format!("{} after the merge at the earliest", wave.starts);
    let before = wave.waits_for(&addon.waves);
    let label = |before: &Wave| match before.placement == wave.placement {
        true => one_line(&before.group),
        false => one_line(&before.label(&addon.waves)),
    };
    match (before.last(), wave.starts.as_str()) {
        (None, "0s") => "starts at the merge".to_owned(),
        (None, _) => format!("starts {at_least}"),
        (Some(before), "0s") => format!("starts after {}", label(before)),
        (Some(before), _) => format!("starts after {}, {at_least}", label(before)),
    }
}

/// Returns a bar in which a part is filled.
fn bar(before: usize, part: usize, total: usize) -> String {
    let scale = |clusters: usize| clusters * WIDTH / total.max(1);
    let (begin, end) = (scale(before), scale(before + part).max(scale(before) + 1).min(WIDTH));
    (0..WIDTH).map(|place| if (begin..end).contains(&place) { '█' } else { '·' }).collect()
}

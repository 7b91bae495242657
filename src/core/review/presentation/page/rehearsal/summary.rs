//! The title of a rehearsal, and what it amounts to.

use crate::presentation::page::block::{Badge, Fact, Tone};
use crate::presentation::page::line::Line;
use crate::rehearsal::document::{AddonRehearsal, Rehearsal, Summary};

pub(super) fn title(rehearsal: &Rehearsal) -> Line {
    match rehearsal.addons.as_slice() {
        [] => Line::of("Tidegate rehearsal"),
        [addon] => Line::of("Tidegate rehearsal of ").name(addon.name.as_str()),
        addons => Line::of("Tidegate rehearsal of ").counted(addons.len(), ["add-on", "add-ons"]),
    }
}

pub(super) fn verdict(rehearsal: &Rehearsal) -> Badge {
    let completes = |addon: &AddonRehearsal| addon.result.completes;
    if rehearsal.addons.is_empty() {
        Badge { words: "Nothing to rehearse", tone: Tone::Good }
    } else if rehearsal.addons.iter().all(|addon| completes(addon) >= 1.0) {
        Badge { words: "Completes in all runs", tone: Tone::Good }
    } else if rehearsal.addons.iter().all(|addon| completes(addon) <= 0.0) {
        Badge { words: "Completes in no run", tone: Tone::Bad }
    } else {
        Badge { words: "Completes in some runs", tone: Tone::Bad }
    }
}

/// Returns what the rehearsal amounts to: the result of its add-on, or the worst results of several.
pub(super) fn facts(rehearsal: &Rehearsal) -> Vec<Fact> {
    match rehearsal.addons.as_slice() {
        [] => vec![Fact { value: Line::of("Nothing"), label: "is rolled out" }],
        [addon] => of_one(&addon.result),
        addons => of_several(addons),
    }
}

fn of_one(result: &Summary) -> Vec<Fact> {
    let mut facts = vec![Fact { value: Line::default().share(result.completes), label: "of the runs complete" }];
    if let Some(in_time) = result.in_time {
        facts.push(Fact { value: Line::default().share(in_time), label: "of the runs are done in time" });
    }
    facts.extend(end(result.median_end, "from the merge to the end (median)"));
    facts.extend(end(result.p90_end, "from the merge to the end (90th percentile)"));
    if let Some(exposed) = result.most_exposed {
        let label = match exposed {
            1 => "cluster at most has the new version when a run stops",
            _ => "clusters at most have the new version when a run stops",
        };
        facts.push(Fact { value: Line::default().number(exposed), label });
    }
    facts
}

fn of_several(addons: &[AddonRehearsal]) -> Vec<Fact> {
    let completes = addons.iter().map(|addon| addon.result.completes).fold(1.0, f64::min);
    let mut facts = vec![
        Fact { value: Line::default().number(addons.len()), label: "add-ons" },
        Fact { value: Line::default().share(completes), label: "of the runs of the riskiest add-on complete" },
    ];
    let last = addons.iter().filter_map(|addon| addon.result.p90_end).max();
    facts.extend(end(last, "from the merge to the end of the slowest add-on (90th percentile)"));
    facts
}

fn end(seconds: Option<i64>, label: &'static str) -> Option<Fact> {
    seconds.map(|seconds| Fact { value: Line::default().seconds(seconds), label })
}

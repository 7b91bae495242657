//! The fold of one add-on: what its runs have in common, when its waves start, and what other settings would change.

use super::{alternative, wave};
use crate::presentation::page::block::{Block, Fold, Open};
use crate::presentation::page::change::CLUSTERS;
use crate::presentation::page::line::Line;
use crate::rehearsal::document::{AddonRehearsal, Summary};

pub(super) fn fold(addon: &AddonRehearsal) -> Block {
    let name = Line::default().bold(Line::default().name(addon.name.as_str()));
    let title = name.words(": ").counted(addon.clusters, CLUSTERS);
    let mut blocks = vec![Block::List(sentences(&addon.result))];
    blocks.extend(wave::blocks(addon));
    blocks.extend(alternative::blocks(addon));
    Block::Fold(Fold { title, section: None, open: Open::OnPage, blocks })
}

/// Returns what the runs have in common in sentences.
fn sentences(result: &Summary) -> Vec<Line> {
    let mut sentences = Vec::new();
    let runs = |what: &'static str, share: f64| {
        Line::default().bold(Line::of(what)).words(" in ").share(share).words(" of the runs")
    };
    if result.completes > 0.0 {
        let line = runs("Completes", result.completes);
        sentences.push(match (result.median_end, result.p90_end) {
            (Some(median), Some(late)) => {
                let line = line.words(": ").seconds(median).words(" after the merge (median), ");
                line.seconds(late).words(" (90th percentile).")
            }
            _ => line.words("."),
        });
    }
    sentences.extend(result.in_time.map(|share| runs("Ends in time", share).words(".")));
    if result.stops > 0.0 {
        sentences.push(stop(runs("Stops", result.stops), result));
    }
    if result.stalls > 0.0 {
        sentences.push(runs("Stalls", result.stalls).words(": clusters wait forever."));
    }
    if result.median_failed > 0 {
        let nouns = ["cluster fails or does not answer", "clusters fail or do not answer"];
        sentences.push(Line::default().counted(result.median_failed, nouns).words(" (median)."));
    }
    sentences
}

fn stop(line: Line, result: &Summary) -> Line {
    let line = match result.median_stop {
        Some(stop) => line.words(", ").seconds(stop).words(" after the merge (median)"),
        None => line,
    };
    match (result.median_exposed, result.most_exposed) {
        (Some(median), Some(most)) => {
            let line = line.words("; by then ").counted(median, ["cluster has", "clusters have"]);
            line.words(" the new version (median; ").number(most).words(" at most).")
        }
        _ => line.words("."),
    }
}

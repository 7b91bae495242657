//! The rehearsal of a rollout as text for a terminal.

use std::fmt::Write as _;

use owo_colors::OwoColorize as _;

use crate::proposal::document::label;
use crate::rehearsal::document::{AddonRehearsal, Alternative, Rehearsal, Summary};
use tidegate_model::line::one_line;
use tidegate_model::plural::counted;
use tidegate_model::time::{GoDuration, SignedDuration};

/// The width of a time line in characters.
const WIDTH: usize = 40;

/// Returns a rehearsal with a time line and a table of alternatives for each add-on.
pub fn rehearsal_text(rehearsal: &Rehearsal) -> String {
    if rehearsal.addons.is_empty() {
        return "This change rolls nothing out, so there is nothing to rehearse.\n".to_owned();
    }
    let mut text = String::new();
    // Writing into a String cannot fail.
    for found in &rehearsal.addons {
        let runs =
            format!("{}, {} runs with seed {}", counted(found.clusters, "cluster"), rehearsal.runs, rehearsal.seed);
        let _ = writeln!(text, "{} {}", format!("Rehearsal of {}:", found.name).bold(), runs);
        let _ = writeln!(text, "{}\n", one_line(&rehearsal.scenario).dimmed());
        addon(&mut text, found);
    }
    text
}

fn addon(text: &mut String, addon: &AddonRehearsal) {
    result(text, &addon.result);
    let whole = addon.result.p90_end.max(addon.result.median_stop).unwrap_or_default();
    let end = addon.waves.iter().map(|wave| wave.p90_done).fold(whole, i64::max).max(1);
    if !addon.waves.is_empty() {
        let _ =
            writeln!(text, "\n{:<20} {:<WIDTH$} clusters", format!("group ({} in all)", addon.waves.len()), axis(end));
    }
    for wave in &addon.waves {
        let placements = addon.waves.iter().map(|other| other.placement.as_str());
        let label = one_line(&label((&wave.placement, &wave.step, &wave.group), placements));
        let share =
            if wave.starts < 1.0 { format!(", starts in {} of the runs", percent(wave.starts)) } else { String::new() };
        let _ = writeln!(
            text,
            "{label:<20} {} {:>8}   {} – {}, 90 % by {}{share}",
            bar(wave.median_start, wave.median_done, wave.p90_done, end),
            wave.clusters,
            span(wave.median_start),
            span(wave.median_done),
            span(wave.p90_done),
        );
    }
    alternatives(text, addon);
    text.push('\n');
}

fn result(text: &mut String, result: &Summary) {
    let time = |seconds: Option<i64>| seconds.map_or_else(|| "–".to_owned(), span);
    if result.completes > 0.0 {
        let _ = writeln!(
            text,
            "{} in {} of the runs: {} after the merge (median), {} (90th percentile)",
            "completes".green(),
            percent(result.completes),
            time(result.median_end),
            time(result.p90_end)
        );
    }
    if result.stops > 0.0 {
        let _ = writeln!(
            text,
            "{} in {} of the runs, {} after the merge; by then {} have been given the new version (median; {} at most)",
            "stops".red(),
            percent(result.stops),
            time(result.median_stop),
            counted(result.median_exposed.unwrap_or_default(), "cluster"),
            result.most_exposed.unwrap_or_default()
        );
    }
    if result.stalls > 0.0 {
        let _ = writeln!(
            text,
            "{} in {} of the runs: some clusters never start",
            "stalls".yellow(),
            percent(result.stalls)
        );
    }
}

fn alternatives(text: &mut String, addon: &AddonRehearsal) {
    if addon.alternatives.is_empty() {
        return;
    }
    let header = ["settings", "completes", "stops", "median", "90 %", "exposed"];
    let _ = writeln!(text, "\n{}", row(&header.map(ToOwned::to_owned)).bold());
    for alternative in &addon.alternatives {
        let time = |seconds: Option<i64>| seconds.map_or_else(|| "–".to_owned(), span);
        let result = &alternative.result;
        let cells = [
            settings(alternative),
            percent(result.completes),
            percent(result.stops),
            time(result.median_end),
            time(result.p90_end),
            result.median_exposed.map_or_else(|| "–".to_owned(), |exposed| exposed.to_string()),
        ];
        let line = row(&cells);
        let _ = writeln!(text, "{}", if alternative.is_declared { line.cyan().to_string() } else { line });
    }
    match &addon.advice {
        Some(advice) => drop(writeln!(text, "in time in 99 of 100 runs: {}", advice.green())),
        None if addon.result.in_time.is_some() => {
            let _ = writeln!(text, "{}", "no alternative is done in time in 99 of 100 runs".yellow());
        }
        None => {}
    }
}

fn settings(alternative: &Alternative) -> String {
    let at_once = alternative.max_concurrency.as_ref().map(|count| format!("{count} at once, ")).unwrap_or_default();
    let declared = if alternative.is_declared { " (declared)" } else { "" };
    format!("{}soak {}{declared}", one_line(&at_once), alternative.soak)
}

fn row(cells: &[String; 6]) -> String {
    let [settings, completes, stops, median, p90, exposed] = cells;
    format!("{settings:<34} {completes:>9} {stops:>7} {median:>10} {p90:>10} {exposed:>8}")
}

fn percent(share: f64) -> String {
    format!("{} %", (share * 1000.0).round() / 10.0)
}

fn span(seconds: i64) -> String {
    GoDuration(SignedDuration::from_secs(seconds)).to_string()
}

/// Returns the line above a time line.
fn axis(end: i64) -> String {
    let last = span(end);
    format!("0s{last:>width$}", width = WIDTH - 2)
}

/// Returns a time line: filled from the start until half of the runs are done, and shaded until nine of ten are.
fn bar(start: i64, done: i64, late: i64, end: i64) -> String {
    let scale =
        |seconds: i64| usize::try_from(seconds.max(0)).unwrap_or_default() * WIDTH / usize::try_from(end).unwrap_or(1);
    let (start, done) = (scale(start).min(WIDTH - 1), scale(done).min(WIDTH));
    let (done, late) = (done.max(start + 1), scale(late).min(WIDTH));
    let cell = |place: usize| match place {
        place if place < start || place >= late.max(done) => '·',
        place if place < done => '█',
        _ => '▒',
    };
    (0..WIDTH).map(cell).collect()
}

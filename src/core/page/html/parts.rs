//! What several pages have: times, states, bars of clusters, and links.

use maud::{Markup, html};

use crate::links::Links;
use tidegate_journal::record::Outcome;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::progress::{ClusterState, Counts, Phase};
use tidegate_model::time::Timestamp;

/// Returns a time, to the minute. The script adds how long ago it was.
pub(super) fn time(at: Timestamp) -> Markup {
    let text = at.strftime("%Y-%m-%d %H:%M").to_string();
    html! { time datetime=(at) { (text) } }
}

/// Returns a time, to the second.
pub(super) fn exact(at: Timestamp) -> Markup {
    let text = at.strftime("%Y-%m-%d %H:%M:%S").to_string();
    html! { time datetime=(at) { (text) } }
}

/// Returns a number of seconds in words: `2 h 05 min`.
pub(super) fn span(seconds: i64) -> String {
    match seconds.max(0) {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3_600 => format!("{} min", seconds / 60),
        seconds @ 3_600..86_400 => format!("{} h {:02} min", seconds / 3_600, seconds % 3_600 / 60),
        seconds => format!("{} d {} h", seconds / 86_400, seconds % 86_400 / 3_600),
    }
}

/// How a state looks: a class for its color, and a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    /// The class.
    pub class: &'static str,
    /// The letter.
    pub letter: char,
    /// What it means.
    pub word: &'static str,
}

const fn look(class: &'static str, letter: char, word: &'static str) -> Look {
    Look { class, letter, word }
}

/// All looks of clusters, for the legend.
pub(super) const LOOKS: [Look; 8] = [
    look("done", 'D', "done"),
    look("active", 'P', "in progress"),
    look("soaking", 'K', "soaking"),
    look("waiting", 'W', "waiting"),
    look("failed", 'F', "failed"),
    look("late", 'T', "took too long"),
    look("degraded", 'X', "stopped working"),
    look("leaving", 'L', "leaving"),
];

/// Returns how the state of a cluster looks.
pub(super) fn cluster_look(state: ClusterState, is_degraded: bool) -> Look {
    let [done, active, soaking, waiting, failed, late, degraded, leaving] = LOOKS;
    match state {
        _ if is_degraded => degraded,
        ClusterState::Succeeded => done,
        ClusterState::Progressing => active,
        ClusterState::Soaking => soaking,
        ClusterState::Waiting => waiting,
        ClusterState::Failed => failed,
        ClusterState::TimedOut => late,
        ClusterState::Leaving | ClusterState::Removing => leaving,
        ClusterState::Removed => look("waiting", '−', "removed"),
    }
}

/// Returns the state of a cluster: a letter in the color of the state, and the word.
pub(super) fn cluster_state(state: ClusterState, is_degraded: bool) -> Markup {
    let look = cluster_look(state, is_degraded);
    html! { span class={ "state " (look.class) } { b aria-hidden="true" { (look.letter) } (look.word) } }
}

/// Returns the phase of an add-on.
pub(super) fn phase(phase: Phase) -> Markup {
    let (class, sign) = match phase {
        Phase::Completed => ("done", '✓'),
        Phase::Progressing => ("active", '▸'),
        Phase::Stopped => ("failed", '✕'),
        Phase::Refused => ("failed", '!'),
        Phase::Removing => ("leaving", '−'),
        Phase::Held => ("late", 'Ⅱ'),
    };
    html! { span class={ "state " (class) } { b aria-hidden="true" { (sign) } (phase) } }
}

/// Returns the clusters as a bar with its numbers.
pub(super) fn bar(counts: &Counts) -> Markup {
    progress(counts, "waiting")
}

/// Returns the clusters of a rollout that has ended as a bar with its numbers: nothing waits any more.
pub(super) fn final_bar(counts: &Counts) -> Markup {
    progress(counts, "not started")
}

fn progress(counts: &Counts, waiting: &'static str) -> Markup {
    let parts = [
        ("done", counts.succeeded - counts.degraded.min(counts.succeeded), "done"),
        ("degraded", counts.degraded, "stopped working"),
        ("active", counts.progressing, "in progress"),
        ("failed", counts.failed, "failed"),
        ("waiting", counts.waiting, waiting),
        ("leaving", counts.leaving, "leaving"),
    ];
    let words: Vec<String> =
        parts.iter().filter(|(_, count, _)| *count > 0).map(|(_, count, word)| format!("{count} {word}")).collect();
    let words = if words.is_empty() { "no clusters".to_owned() } else { words.join(", ") };
    let total = (counts.total + counts.leaving).max(1);
    let mut at = 0;
    let rects: Vec<(&str, usize, usize)> = parts
        .iter()
        .filter(|(_, count, _)| *count > 0)
        .map(|(class, count, _)| {
            let from = at * 1_000 / total;
            at += count;
            (*class, from, at * 1_000 / total - from)
        })
        .collect();
    html! {
        span.progress {
            svg.counts viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" {
                @for (class, x, width) in rects { rect class=(class) x=(x) y="0" width=(width) height="10" {} }
            }
            span.numbers { (words) }
        }
    }
}

/// Returns how a rollout ended.
pub(super) fn outcome(outcome: Outcome, counts: &Counts, reverted_by: Option<u32>) -> Markup {
    let is_bad = reverted_by.is_some() || counts.failed > 0;
    let (class, sign) = match outcome {
        _ if is_bad => ("failed", '✕'),
        Outcome::Completed => ("done", '✓'),
        Outcome::InProgress => ("active", '▸'),
        Outcome::Superseded => ("waiting", '»'),
        Outcome::Withdrawn => ("leaving", '−'),
    };
    html! { span class={ "state " (class) } { b aria-hidden="true" { (sign) } (format!("{outcome:?}")) } }
}

/// Returns the parts of the path of a unit's rollouts. The name of an application is a path itself.
fn rollouts(unit: &UnitName) -> Vec<&str> {
    ["rollouts"].into_iter().chain(unit.as_str().split('/')).collect()
}

/// Returns a link to the last rollout of an add-on.
pub(super) fn addon(links: Links<'_>, name: &UnitName) -> Markup {
    html! { a href=(links.page(&rollouts(name))) { (name) } }
}

/// Returns a link to a rollout.
pub(super) fn rollout(links: Links<'_>, addon: &UnitName, number: u32, text: &str) -> Markup {
    html! { a href=(links.page(&[rollouts(addon), vec![&number.to_string()]].concat())) { (text) } }
}

/// Returns a link to a cluster.
pub(super) fn cluster(links: Links<'_>, name: &ClusterName) -> Markup {
    html! { a.name href=(links.page(&["clusters", name.as_str()])) { (name) } }
}

/// Returns a link to a page of the forge, if the address is one that a browser may open.
pub(super) fn outside(url: &str, text: &str) -> Markup {
    if url.starts_with("https://") || url.starts_with("http://") {
        html! { a href=(url) rel="noreferrer" { (text) } }
    } else {
        html! { (text) }
    }
}

/// Returns the hidden field that keeps the moment of the past in a form.
pub(super) fn kept_moment(links: Links<'_>) -> Markup {
    html! { @if let Some(at) = links.at() { input type="hidden" name="at" value=(at); } }
}

/// Returns links to the pages before and after one of several.
pub(super) fn pages(links: Links<'_>, parts: &[&str], query: &[(&str, &str)], page: usize, pages: usize) -> Markup {
    let to = |page: usize| {
        let number = page.to_string();
        let query: Vec<(&str, &str)> = query.iter().copied().chain([("page", number.as_str())]).collect();
        links.query(parts, &query)
    };
    html! {
        @if pages > 1 && links.has_queries() {
            nav.pages aria-label="Pages" {
                @if page > 1 { a href=(to(page - 1)) rel="prev" { "← previous" } }
                span { "page " (page) " of " (pages) }
                @if page < pages { a href=(to(page + 1)) rel="next" { "next →" } }
            }
        } @else if pages > 1 {
            p.note { "Only the first page of " (pages) " is exported." }
        }
    }
}

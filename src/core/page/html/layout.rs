//! The frame of every page.

use maud::{DOCTYPE, Markup, html};

use super::parts::time;
use super::{about, changes, cluster, clusters, fleet, history, rollout, start};
use crate::facts::Moment;
use crate::links::Links;
use crate::site::{Document, Query};
use crate::view::View;
use tidegate_model::time::Timestamp;

/// What surrounds the content of a page.
#[derive(Debug, Clone)]
pub struct Frame<'a> {
    /// How pages refer to each other.
    pub links: Links<'a>,
    /// The path of the page, such as `clusters/aws-001`.
    pub path: &'a str,
    /// The query of the page.
    pub query: &'a Query,
    /// The moments around the one that is shown, newest first: those before and after it can be opened.
    pub moments: &'a [Moment],
    /// Whether it is a moment of the past that was asked for.
    pub is_past: bool,
    /// The current time, or that of the moment of the past.
    pub now: Timestamp,
    /// The name of the instance whose journal it is; empty if it has none.
    pub instance: &'a str,
    /// Why the journal could not be read for a while; absent if it can be.
    pub stale: Option<&'a str>,
}

/// The pages in the navigation: path, name and key.
const PAGES: [(&str, &str, &str); 7] = [
    ("", "Needs you", "1"),
    ("fleet", "Fleet", "2"),
    ("clusters", "Clusters", "3"),
    ("versions", "Versions", "4"),
    ("changes", "Changes", "5"),
    ("history", "History", "6"),
    ("about", "About", "7"),
];

/// Returns a page.
pub fn page(document: &Document, frame: &Frame<'_>) -> String {
    let links = frame.links;
    let content = match &document.view {
        View::Start(view) => start::start(view, links),
        View::Rollout(view) => rollout::rollout(view, frame.now, links),
        View::Fleet(view) => fleet::fleet(view, links),
        View::Clusters(view) => clusters::clusters(view, links),
        View::Versions(view) => clusters::versions(view, links),
        View::Cluster(view) => cluster::cluster(view, links),
        View::History(view) => history::history(view, links),
        View::Changes(view) => changes::changes(view, links),
        View::Change(view) => changes::change(view, links),
        View::About(view) => about::about(view, links),
    };
    let moment = html! {
        p.moment id="moment" data-state=(state(document, frame)) {
            span {
                @if frame.is_past { strong { "As it was at " (time(document.written)) " UTC" } } @else { "Journal of " (time(document.written)) " UTC" span.age {} }
                ", entry " code { (document.commit.short()) }
            }
            (moments(document, frame))
        }
    };
    frame_of(&title(&document.view), frame, &html! { (moment) (content) })
}

/// Returns the title of a page.
fn title(view: &View) -> String {
    match view {
        View::Start(_) => "Needs you".to_owned(),
        View::Rollout(rollout) => format!("{} rollout {}", rollout.addon, rollout.number),
        View::Fleet(_) => "Fleet".to_owned(),
        View::Clusters(_) => "Clusters".to_owned(),
        View::Versions(_) => "Versions".to_owned(),
        View::Cluster(cluster) => cluster.name.to_string(),
        View::History(_) => "History".to_owned(),
        View::Changes(_) => "Changes".to_owned(),
        View::Change(change) => format!("#{} {}", change.number, change.title),
        View::About(_) => "About".to_owned(),
    }
}

/// Returns what an event names: the entry, and whether it could not be read since.
fn state(document: &Document, frame: &Frame<'_>) -> String {
    format!("{}{}", document.commit, if frame.stale.is_some() { "-stale" } else { "" })
}

/// Returns the page for a path that there is not.
pub fn not_found(reason: &str, frame: &Frame<'_>) -> String {
    let content = html! {
        h1 { "Not found" }
        p { (reason) "." }
        p { a href=(frame.links.page(&[])) { "Start" } }
    };
    frame_of("Not found", frame, &content)
}

/// Returns links to the entries before and after, with the same query.
fn moments(document: &Document, frame: &Frame<'_>) -> Markup {
    let at = frame.moments.iter().position(|moment| moment.commit == document.commit);
    let newer = at.and_then(|at| frame.moments.get(at.checked_sub(1)?));
    let older = at.and_then(|at| frame.moments.get(at + 1));
    let parts: Vec<&str> = frame.path.split('/').filter(|part| !part.is_empty()).collect();
    let to = |moment: Option<&Moment>| {
        let at = moment.map(|moment| ("at", moment.commit.as_str()));
        let others =
            frame.query.0.iter().filter(|(name, _)| name != "at").map(|(name, value)| (name.as_str(), value.as_str()));
        frame.links.now().query(&parts, &others.chain(at).collect::<Vec<_>>())
    };
    html! {
        @if frame.links.has_queries() {
            span.steps {
                @if let Some(older) = older { a href=(to(Some(older))) title=(older.subject) data-step="[" { "← entry before" } }
                @if let Some(newer) = newer.filter(|_| frame.is_past) {
                    a href=(to(Some(newer))) title=(newer.subject) data-step="]" { "entry after →" }
                }
                @if frame.is_past { a href=(to(None)) { "now" } }
            }
        }
    }
}

fn frame_of(title: &str, frame: &Frame<'_>, content: &Markup) -> String {
    let links = frame.links;
    let current = frame.path.split('/').next().unwrap_or_default();
    let is_current = |path: &str| path == if current == "rollouts" { "" } else { current };
    let live = frame.links.has_queries() && !frame.is_past;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · " @if !frame.instance.is_empty() { (frame.instance) " · " } "Tidegate" }
                link rel="stylesheet" href=(links.asset("style.css"));
                link rel="icon" href="data:,";
                script src=(links.asset("script.js")) defer {}
            }
            body data-events=[live.then(|| links.asset("events"))] {
                a.skip href="#main" { "Skip to the content" }
                header {
                    @if !frame.instance.is_empty() { p.instance { (frame.instance) } }
                    nav aria-label="Pages of Tidegate" {
                        @for (path, name, key) in PAGES {
                            a href=(links.page(&[path].into_iter().filter(|path| !path.is_empty()).collect::<Vec<_>>()))
                                aria-current=[is_current(path).then_some("page")] data-key=(key) { (name) }
                        }
                    }
                }
                main id="main" tabindex="-1" {
                    p.stale id="lost" role="status" hidden { "The connection to the server is lost, so this page may be out of date." }
                    @if let Some(stale) = frame.stale {
                        p.stale role="status" { "The journal cannot be read: " (stale) ". This is the last state that could be read." }
                    }
                    (content)
                }
                footer { p { "All times are UTC. Nothing on this page changes anything: changes are made in Git. " span.keys { "Press " kbd { "?" } " for keys." } } }
                p.live id="live" role="status" aria-live="polite" {}
            }
        }
    };
    // Names and texts in a journal are written by others, and must not change how the rest is shown.
    tidegate_model::line::visible(&page.into_string())
}

//! `README.md`: the table that a person reads on the forge.

use std::fmt::Write as _;

use super::bar::bar;
use super::record::{AddonStatus, Cause, Rollout, Sync};
use crate::file;
use tidegate_model::followed::RefusedRevision;
use tidegate_model::progress::Phase;

/// Returns the page.
pub fn page<'a>(sync: &Sync, addons: impl Iterator<Item = &'a AddonStatus>) -> String {
    let mut text = String::from("# Rollouts\n\n");
    // Writing into a String cannot fail.
    if let Some(seen) = &sync.seen {
        let _ = writeln!(text, "Revision `{}`: {}\n", seen.commit.short(), escaped(&seen.subject));
    }
    if let Some(identity) = &sync.instance {
        let _ = writeln!(text, "Instance {}\n", escaped(&identity.instance().to_string()));
    }
    text.push_str(
        "| add-on | version | progress | clusters | state | since |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for addon in addons {
        let counts = &addon.clusters;
        let state = if addon.problem.is_some() { format!("**{}**", addon.phase) } else { addon.phase.to_string() };
        let state = match counts.degraded {
            0 => state,
            degraded => format!("{state}, **{degraded} degraded**"),
        };
        let _ = writeln!(
            text,
            "| [{name}]({path}) | {version} | `{bar}` | {done}/{total} | {state} | {since} |",
            name = addon.addon,
            path = file::status(&addon.addon),
            version = version(addon),
            bar = bar(counts, 20),
            done = counts.succeeded,
            total = counts.total,
            since = addon.since,
        );
    }
    let _ = writeln!(text, "\n`█` done, `▒` under way, `!` failed, `░` waiting");
    list(&mut text, "Problems", problems(sync));
    let held = sync.overrides.iter().chain(&sync.notices).map(|n| escaped(n));
    list(&mut text, "Notices", held.collect());
    text
}

fn problems(sync: &Sync) -> Vec<String> {
    let refused = sync.refused.iter().map(|refused| {
        let RefusedRevision { revision, reason } = refused;
        format!("revision {} ({}) is not followed: {reason}", revision.commit.short(), revision.subject)
    });
    refused.chain(sync.complaint_lines()).chain(sync.failures.iter().cloned()).map(|line| escaped(&line)).collect()
}

fn list(text: &mut String, title: &str, lines: Vec<String>) {
    if !lines.is_empty() {
        let _ = write!(text, "\n## {title}\n\n");
        for line in lines {
            let _ = writeln!(text, "- {line}");
        }
    }
}

fn version(addon: &AddonStatus) -> String {
    match &addon.rollout {
        Some(Rollout { from, cause: Cause::Withdrawal, .. }) => format!("{} → removed", escaped(from)),
        Some(Rollout { from, to, reverts: Some(number), .. }) if addon.phase != Phase::Completed && from == to => {
            format!("back to {} (takes back rollout {number})", escaped(to))
        }
        Some(rollout) if addon.phase != Phase::Completed && !rollout.from.is_empty() && rollout.from != rollout.to => {
            format!("{} → {}", escaped(&rollout.from), escaped(&rollout.to))
        }
        _ => escaped(&addon.version),
    }
}

/// Escapes text from the repository so that it is not read as Markdown.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

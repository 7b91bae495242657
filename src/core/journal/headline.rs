//! Messages of journal commits: the subject summarizes what happened, the trailers hold facts.

use super::record::{AddonStatus, Cause, GroupRecord, Outcome, Rollout, Sync};
use tidegate_model::followed::Revision;
use tidegate_model::line::one_line;
use tidegate_model::plural::counted;
use tidegate_model::progress::Phase;

/// The name of the author of the journal's commits.
pub const AUTHOR: &str = "tidegate";
/// The e-mail address of the author of the journal's commits, which distinguishes them from those of people.
pub const EMAIL: &str = "tidegate@localhost";
/// The trailer of a commit that combines several entries: the states in between are not recorded.
pub const GATHERED: &str = "Gathered: several entries";

/// Returns the message for a commit that combines several entries, given the message of the last one.
pub fn gathered(message: &str) -> String {
    let has_it = message.lines().any(|line| line == GATHERED);
    let (name, value) = GATHERED.split_once(": ").unwrap_or_default();
    if has_it { message.to_owned() } else { with_trailer(message, name, value) }
}

/// The names of the trailers of journal commits.
pub const TRAILERS: [&str; 4] = ["Revision", "Rollout", "Digest", "Approved-by"];

/// Returns the message of a commit that changes these add-ons.
///
/// # Shape
/// A subject; if several add-ons changed, a paragraph with a line for each; then the trailers.
pub fn message(sync: &Sync, changed: &[&AddonStatus], sync_changed: bool) -> String {
    let lines: Vec<String> = changed.iter().map(|addon| line(addon)).collect();
    let subject = match lines.as_slice() {
        [] => sync_line(sync),
        [only] => only.clone(),
        [first, rest @ ..] => format!("{first}; and {} more", rest.len()),
    };
    let mut text = format!("{subject}\n");
    if lines.len() > 1 {
        text.push('\n');
        lines.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    }
    if sync_changed && !lines.is_empty() {
        text.push_str(&format!("\n{}\n", sync_line(sync)));
    }
    let trailers = trailers(sync, changed);
    if !trailers.is_empty() {
        text.push_str(&format!("\n{}\n", trailers.join("\n")));
    }
    text
}

/// Returns the message of a commit that changes only the record of the fleet, or only pull requests.
pub fn of_others(sync: &Sync, subject: &str) -> String {
    let trailers = trailers(sync, &[]).join("\n");
    format!("{}\n", format!("{subject}\n\n{trailers}").trim_end())
}

/// Returns a message with one more trailer.
pub fn with_trailer(message: &str, name: &str, value: &str) -> String {
    let message = message.trim_end();
    let last = message.rsplit("\n\n").next().unwrap_or_default();
    // The trailers are the last paragraph; a message with only one paragraph has none.
    let has_trailers = last.len() < message.len() && last.lines().all(|line| line.contains(": "));
    format!("{message}{}{name}: {value}\n", if has_trailers { "\n" } else { "\n\n" })
}

/// Returns a message with this value of a trailer, instead of any that it had.
pub fn set_trailer(message: &str, name: &str, value: &str) -> String {
    let mut message = message.trim_end().to_owned();
    while trailer(&message, name).is_some() {
        let (before, last) = message.rsplit_once("\n\n").unwrap_or(("", &message));
        let is_other = |line: &&str| line.strip_prefix(name).is_none_or(|rest| !rest.starts_with(": "));
        let last: Vec<&str> = last.lines().filter(is_other).collect();
        message = format!("{before}\n\n{}", last.join("\n")).trim_end().to_owned();
    }
    with_trailer(&message, name, value)
}

/// The trailer of a commit that would be older than its parent: the time on the clock of the daemon, which was set back. The commit itself has
/// the date of its parent.
pub const CLOCK: &str = "Clock";

/// Returns the value of a trailer that [`with_trailer`] added to a message.
pub fn trailer<'m>(message: &'m str, name: &str) -> Option<&'m str> {
    let last = message.trim_end().rsplit("\n\n").next()?;
    last.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

/// Returns the trailers of a commit that changes these add-ons.
pub fn trailers(sync: &Sync, changed: &[&AddonStatus]) -> Vec<String> {
    let revision = sync.seen.iter().map(|seen: &Revision| format!("Revision: {}", seen.commit));
    let rollouts =
        changed.iter().filter_map(|addon| Some(format!("Rollout: {}/{}", addon.addon, addon.rollout.as_ref()?.number)));
    let digests = changed.iter().filter_map(|addon| {
        let digest = addon.digest.as_ref()?;
        Some(format!("Digest: {} {}", addon.addon, digest.short()))
    });
    let approved =
        changed.iter().filter_map(|addon| addon.rollout.as_ref()?.revision.as_ref()).flat_map(|r| &r.approved_by);
    let mut approved: Vec<String> = approved.map(|by| format!("Approved-by: {}", harmless(by))).collect();
    approved.sort();
    approved.dedup();
    revision.chain(rollouts).chain(digests).chain(approved).collect()
}

/// Returns text of a commit that someone else wrote, without control characters, and without mentions, which a forge would notify.
fn harmless(text: &str) -> String {
    let mut previous = ' ';
    let mut replaced = String::new();
    for c in one_line(text).chars() {
        let is_mention = c == '@' && !previous.is_alphanumeric();
        replaced.push(if is_mention { '\u{fffd}' } else { c });
        previous = c;
    }
    replaced
}

fn sync_line(sync: &Sync) -> String {
    let commit = sync.seen.as_ref().map_or("none", |seen| seen.commit.short());
    if let Some(refused) = &sync.refused {
        return format!("sync: revision {} is not trusted, {commit} stays", refused.revision.commit.short());
    }
    match (sync.complaints.len() + sync.unlisted_complaints, sync.failures.len()) {
        (0, 0) => format!("sync: revision {commit}"),
        (0, n) => format!("sync: revision {commit}, {} refused by the hub", counted(n, "object")),
        (n, _) => format!("sync: revision {commit} has {}", counted(n, "complaint")),
    }
}

fn line(addon: &AddonStatus) -> String {
    let name = &addon.addon;
    if addon.phase == Phase::Refused {
        return format!("{name}: refused");
    }
    let Some(rollout) = &addon.rollout else { return format!("{name}: declared") };
    let way = way(rollout);
    let counts = &addon.clusters;
    let leaving = if counts.leaving > 0 { format!(", {} leaving", counts.leaving) } else { String::new() };
    let clusters = format!("{}/{} clusters{leaving}", counts.succeeded, counts.total);
    let failed = if counts.failed > 0 { format!(", {} failed", counts.failed) } else { String::new() };
    let degraded = if counts.degraded > 0 { format!(", {} degraded", counts.degraded) } else { String::new() };
    let clusters = format!("{clusters}{degraded}");
    match (addon.phase, rollout.outcome) {
        (_, Outcome::Completed) if rollout.cause == Cause::Withdrawal => format!("{name}: {} removed", rollout.from),
        (Phase::Held, _) => format!("{name}: {way} (held), {clusters}"),
        (Phase::Removing, _) => format!("{name}: {way}, {} left", counted(counts.leaving, "cluster")),
        (Phase::Stopped, _) => format!("{name}: {way} stopped{failed}, {clusters}"),
        (Phase::Completed, Outcome::Completed) => format!("{name}: {way} completed, {clusters}"),
        _ => format!("{name}: {way}{}{failed}, {clusters}", group(addon)),
    }
}

/// Summarizes what a rollout does.
fn way(rollout: &Rollout) -> String {
    let Rollout { from, to, .. } = rollout;
    match rollout.cause {
        Cause::Membership => return format!("{to}, clusters join or leave"),
        Cause::Withdrawal => return format!("removing {from}"),
        Cause::Repetition => return format!("{to} again"),
        Cause::Configuration => {}
    }
    match rollout.reverts {
        Some(number) if from == to => format!("back to {to} (takes back rollout {number})"),
        Some(number) => format!("{from} -> {to} (takes back rollout {number})"),
        None if from.is_empty() => format!("install {to}"),
        None if from == to => format!("{to} reconfigured"),
        None => format!("{from} -> {to}"),
    }
}

/// Describes the first group that is not done, if there is more than one group.
fn group(addon: &AddonStatus) -> String {
    let at = addon
        .placements
        .iter()
        .filter(|p| p.groups.len() > 1)
        .find_map(|placement| placement.groups.iter().find(|g| g.counts.succeeded < g.counts.total));
    at.map(|GroupRecord { index, name, counts }| {
        let name = if name.is_empty() { format!("group {index}") } else { name.clone() };
        format!(", {name} {}/{}", counts.succeeded, counts.total)
    })
    .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn a_commit_that_someone_else_wrote_controls_no_terminal_and_mentions_nobody() {
        for (text, expected) in [
            ("Bob <bob@example.com>", "Bob <bob@example.com>"),
            ("Bob \u{1b}[31m", "Bob \u{fffd}[31m"),
            ("@platform/team", "\u{fffd}platform/team"),
            ("Bob (@bob), @ann", "Bob (\u{fffd}bob), \u{fffd}ann"),
        ] {
            assert_eq!(harmless(text), expected);
        }
    }
}

//! The command: it collects the facts, and prints a line for each check.

use std::fmt::Write as _;

use serde_json::json;

use super::trouble::trouble;
use super::{forge, git, hub, notification};
use crate::cli::args::{DoctorArgs, Placement, Switch};
use crate::cli::compose;
use crate::cli::config::File;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use crate::cli::receivers::receivers;
use crate::cli::webhook::webhook_secrets;
use crate::doctor::facts::{Forge, Keys};
use crate::doctor::{Facts, Known, Level, Line, Unknown, examine};

/// Carries out every check and prints the results.
pub(crate) async fn run(process: &Process, args: DoctorArgs) -> Result<(), Failure> {
    let lines = examine(&facts(process, &args).await);
    match args.output {
        Some(output) => process.say_line(&printed(output, &json!({ "checks": lines }))?)?,
        None => process.say(&table(&lines))?,
    }
    if lines.iter().any(|line| line.level == Level::Fail) { Err(Failure::Findings) } else { Ok(()) }
}

async fn facts(process: &Process, args: &DoctorArgs) -> Facts {
    let read = File::read(args.source.config.as_deref());
    let configuration = read.as_ref().map(drop).map_err(|failure| trouble(failure, "correct the file of --config"));
    let file = read.ok();
    let setting = file.as_ref().and_then(|file| file.events.enabled);
    let events = args.events.map(Switch::is_on).or(setting).unwrap_or(true);
    // Git first: the journal names the instance whose objects are looked at.
    let git = git::facts(&args.source).await;
    let hub = hub::facts(&args.hub, git.instance.as_ref(), git.rules.clone()).await;
    let forge = reviewed(args, file.as_ref(), &git).await;
    let test_messages = if args.notify { Some(notification::messages(process, file.as_ref()).await) } else { None };
    Facts {
        now: process.clock().now(),
        builtin_placement: args.placement == Placement::Builtin,
        delivery: file.as_ref().map(|file| file.delivery.mode).unwrap_or_default(),
        events,
        configuration,
        hub: hub.server,
        skew: hub.skew,
        definitions: hub.definitions,
        leases: hub.leases,
        gates: hub.gates,
        addons: hub.addons,
        placements: hub.placements,
        reviews: hub.reviews,
        grants: hub.grants,
        foreign: hub.foreign,
        writers: hub.writers,
        kubevela: hub.kubevela,
        clusters: hub.clusters,
        certificates: hub.certificates,
        source: git.source,
        journal: git.journal,
        trusted_keys: usable(file.as_ref(), trusted_keys),
        signing_key: usable(file.as_ref(), signing_key),
        webhook_secrets: usable(file.as_ref(), webhooks),
        receivers: usable(file.as_ref(), notifications),
        test_messages,
        forge,
    }
}

/// Asks the forge that the configuration names, if it can be read.
async fn reviewed(args: &DoctorArgs, file: Option<&File>, git: &git::GitFacts) -> Known<Forge> {
    let Some(file) = file else { return Err(Unknown::NoConfiguration) };
    if file.forge.is_none() {
        return Ok(Forge::None);
    }
    let journal = git.journal.as_ref().ok().map(|journal| journal.branch.as_str());
    let has_webhook = webhooks(file) != Keys::None;
    Ok(forge::facts(&args.source, forge::Repository { journal, names: &git.names, has_webhook }).await)
}

/// Looks at keys that the configuration names, if it can be read.
fn usable(file: Option<&File>, look: impl FnOnce(&File) -> Keys) -> Known<Keys> {
    file.map(look).ok_or(Unknown::NoConfiguration)
}

fn trusted_keys(file: &File) -> Keys {
    match compose::policy(file) {
        Ok(policy) if policy.keys.is_empty() => Keys::None,
        Ok(_) => Keys::Usable,
        Err(failure) => Keys::Unusable(trouble(&failure, "correct [verify] in the file of --config")),
    }
}

fn signing_key(file: &File) -> Keys {
    match compose::signer(file) {
        Ok(None) => Keys::None,
        Ok(Some(_)) => Keys::Usable,
        Err(failure) => Keys::Unusable(trouble(&failure, "correct [journal] signing_key_file in the file of --config")),
    }
}

fn webhooks(file: &File) -> Keys {
    match webhook_secrets(&file.webhook) {
        Ok(false) => Keys::None,
        Ok(true) => Keys::Usable,
        Err(failure) => Keys::Unusable(trouble(&failure, "correct [webhook] in the file of --config")),
    }
}

fn notifications(file: &File) -> Keys {
    match receivers(&file.notify) {
        Ok(receivers) if receivers.is_empty() => Keys::None,
        Ok(_) => Keys::Usable,
        Err(failure) => Keys::Unusable(trouble(&failure, "correct [[notify]] in the file of --config")),
    }
}

/// Returns the results, one line each, with a second one for what can be fixed.
fn table(lines: &[Line]) -> String {
    let width = lines.iter().map(|line| line.check.len()).max().unwrap_or_default();
    let mut text = String::new();
    for Line { check, level, detail, fix } in lines {
        // Writing into a String cannot fail.
        let _ = writeln!(text, "{level:<4}  {check:<width$}  {}", printable(detail));
        if let Some(fix) = fix {
            let _ = writeln!(text, "{:<4}  {:<width$}  fix: {}", "", "", printable(fix));
        }
    }
    let count = |wanted: Level| lines.iter().filter(|line| line.level == wanted).count();
    let _ = writeln!(
        text,
        "\n{} checks: {} OK, {} WARN, {} FAIL",
        lines.len(),
        count(Level::Ok),
        count(Level::Warn),
        count(Level::Fail)
    );
    text
}

/// Returns a text on one line, without control characters: parts of it come from the hub and from Git.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

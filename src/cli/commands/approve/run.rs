//! The command: finds what is approved, and commits the approval.

use std::collections::BTreeMap;

use super::file::{self, Change};
use super::subject::{approved, unwanted};
use super::void;
use crate::cli::args::ApproveArgs;
use crate::cli::commands::control::{acts, body, delivered};
use crate::cli::failure::Failure;
use crate::cli::journal::archive::History;
use crate::cli::own_git::{NewCommit, Place, Target, deliver};
use crate::cli::process::Process;
use tidegate_consent::file::{Approval, Entry, path};
use tidegate_journal::Journal;
use tidegate_model::instance::InstanceId;
use tidegate_model::line::brief;
use tidegate_model::near::remedy;
use tidegate_model::time::{Timestamp, to_seconds};
use tidegate_model::tree::Tree;
use tidegate_repository::{Repository, SETTINGS_FILE};

/// The longest reason in a file, in characters.
const MAX_REASON: usize = 500;

/// Commits an approval, or withdraws it.
///
/// # Errors
/// [`Failure::Usage`] if there is nothing to approve, or the commit cannot be signed or pushed.
pub(crate) fn run(process: &Process, args: ApproveArgs) -> Result<(), Failure> {
    let place = Place::open(&args.source, false)?;
    // A withdrawal needs no instance.
    let instance = if args.withdraw { None } else { Some(instance(&args)?) };
    let at = to_seconds(Timestamp::now());
    let email = place.email()?;
    let group = args.group.as_deref();
    let mut said = String::new();
    let mut subject = String::new();
    let mut warning = None;
    let target = target(&args);
    let made = deliver(&place, &target, |_, tree| {
        let approved = approved(tree, &place, &args.addon, group)?;
        let by = person(&args, email.as_deref(), &approved.repository)?;
        warning = if args.withdraw { None } else { unwanted(&approved.repository, group) };
        let digest = approved.digest.as_str();
        let file = path(&args.addon, digest, group);
        let of = group.map_or(String::new(), |group| format!(", group {group}"));
        said = format!("{}: digest {}{of}\n", args.addon, approved.digest.short());
        let about = [Some(args.addon.as_str()), group, Some(approved.digest.short())];
        let about: Vec<&str> = about.into_iter().flatten().collect();
        let verb = if args.withdraw { "withdraw" } else { "approve" };
        subject = format!("{verb}: {}", brief(&about.join(" "), 200));
        let change = match &instance {
            Some(instance) => {
                let entry = entry(&args, by.clone(), instance.clone(), at);
                added(&args, tree, &file, file::document(&args.addon, digest, group, entry), &mut said)?
            }
            None => file::withdrawn(tree, &file, &by)?,
        };
        let new = match change {
            Change::Approved(entry) => {
                said += &format!("nothing to do: {by} has approved this at {}, in {file}\n", entry.at);
                said += "If it does not count (`tidegate explain` shows why), approve with --again.\n";
                return Ok(None);
            }
            Change::Nothing => {
                said += &format!("nothing to do: {file} has no approval by {by}\n");
                return Ok(None);
            }
            Change::Written(new) => new,
        };
        let done = if args.withdraw { "withdrawn" } else { "approved" };
        said += &format!("{file}: {done} by {by}\n");
        let reason = args.reason.as_deref().map(body).unwrap_or_default();
        Ok(Some(NewCommit {
            files: BTreeMap::from([(file, new)]),
            message: format!("{}\n", format!("{subject}\n\n{reason}").trim_end()),
            is_signed: !args.withdraw,
        }))
    })?;
    warning.iter().for_each(|warning: &String| process.warn_line(warning));
    process.say(&said)?;
    if let Some(made) = made {
        process.say(&delivered(&place, &target, &subject, &made))?;
        process.say(&acts(&place, &target))?;
        if !args.withdraw {
            process.say_line("It counts if your key is among the trusted keys of the daemon, a rule lists you, and you took no part in the change.")?;
        }
    }
    Ok(())
}

fn entry(args: &ApproveArgs, by: String, instance: InstanceId, at: Timestamp) -> Entry {
    let reason = brief(args.reason.as_deref().unwrap_or_default(), MAX_REASON);
    Entry { by, at, instance, reason, break_glass: args.break_glass }
}

/// Adds an approval to its file. One that the journal calls void is given again.
fn added(args: &ApproveArgs, tree: &Tree, file: &str, new: Approval, said: &mut String) -> Result<Change, Failure> {
    let change = file::added(tree, file, &new, args.again)?;
    let void = |entry: &Entry| void::why(&journal(args).ok()?, &args.addon, file, entry);
    match &change {
        Change::Approved(before) if let Some(why) = void(before) => {
            *said +=
                &format!("the approval of {} at {} does not count: {why}; it is given again\n", before.by, before.at);
            Ok(file::added(tree, file, &new, true)?)
        }
        _ => Ok(change),
    }
}

fn target(args: &ApproveArgs) -> Target {
    let name = || {
        let group = args.group.as_deref().map(|group| format!("-{group}")).unwrap_or_default();
        let is_safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        format!("tidegate/approve-{}{group}", args.addon).replace(|c: char| c != '/' && !is_safe(c), "-")
    };
    match (&args.branch, args.no_push) {
        (Some(name), true) => Target::Local(name.clone()),
        (Some(name), false) => Target::Branch(name.clone()),
        (None, true) => Target::Local(name()),
        (None, false) => Target::Followed,
    }
}

/// Returns the instance for which the approval is given.
fn instance(args: &ApproveArgs) -> Result<InstanceId, Failure> {
    if let Some(instance) = &args.instance {
        return Ok(instance.clone());
    }
    let journal = journal(args).map_err(|failure| match failure {
        Failure::Usage(why) => Failure::Usage(format!(
            "the instance is not known, because the journal cannot be read ({why}); or name the instance with --instance"
        )),
        other => other,
    })?;
    let found = journal.instance().map(|instance| instance.id);
    found.ok_or_else(|| {
        Failure::Usage(
            "the journal has no instance, so it is not known for whom the approval is; start the daemon first, or name the instance with \
             --instance"
                .to_owned(),
        )
    })
}

/// Reads the journal.
fn journal(args: &ApproveArgs) -> Result<Journal, Failure> {
    let (journal, _) = History::open(&args.source.reading())?.journal()?;
    Ok(journal)
}

/// Returns the name of the person who approves.
fn person(args: &ApproveArgs, email: Option<&str>, repository: &Repository) -> Result<String, Failure> {
    match (&args.by, email) {
        // What was given under any name can be withdrawn.
        (Some(by), _) if args.withdraw || repository.settings.people.is_person(by) => Ok(by.clone()),
        (Some(by), _) => Err(Failure::Usage(format!(
            "--by {by:?} is not one person, so the approval would not count; name an alias of one person in [people] of {SETTINGS_FILE}, an \
             address, or a key as key:SHA256:...; {}",
            remedy(by, repository.settings.people.aliases())
        ))),
        (None, Some(email)) => Ok(repository.settings.people.name_of(email)),
        (None, None) => Err(Failure::Usage(
            "git does not know your address; run `git config --global user.email ADDRESS`, or name yourself with --by"
                .to_owned(),
        )),
    }
}

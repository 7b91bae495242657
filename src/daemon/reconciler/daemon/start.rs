//! Reads the journal and the repository at the start of the daemon.

use std::sync::Arc;

use super::config::Config;
use super::error::Error;
use crate::hub::Hub;
use crate::reconciler::clock::Clock;
use crate::reconciler::forge::Trees;
use crate::reconciler::journal::{self, JournalBranch, Vouching};
use crate::reconciler::source::{self, Follow, Followed, Judge, OwnJournal, STATUS_DIRECTORY, Source};
use crate::reconciler::tick::Memory;
use tidegate_git::Mirror;
use tidegate_journal::Journal;
use tidegate_journal::pulls::PullFacts;
use tidegate_model::time::Timestamp;
use tidegate_plan::Past;

/// How often the journal and the repository are read, if others wrote to the journal in the meantime.
const ATTEMPTS: usize = 3;

/// The state that was read at the start.
pub(super) struct Opened {
    pub(super) source: Source,
    pub(super) journal_branch: JournalBranch,
    pub(super) memory: Memory,
    pub(super) followed: Option<Followed>,
    /// What a task that looks at a forge reads from Git, and what is known of pull requests.
    pub(super) reviews: Reviews,
}

/// What a task that looks at a forge reads from Git, and what is known of pull requests.
pub(super) struct Reviews {
    pub(super) trees: Arc<Trees>,
    pub(super) journal: (String, &'static str),
    pub(super) known: PullFacts,
}

/// Opens the mirror, and reads the journal and the repository.
pub(super) fn open(config: &Config, hub: &Arc<Hub>, clock: &Clock) -> Result<Opened, Error> {
    let failed = |error| Error::Source(source::Error::Git(error));
    let mut mirror = Mirror::open(&config.state_dir, config.remote.clone()).map_err(failed)?;
    if let Some(key) = config.signer.clone() {
        mirror = mirror.with_signer(Box::new(move |payload| key.sign(payload).map_err(|error| error.to_string())));
    }
    let mirror = Arc::new(mirror);
    for _ in 0..ATTEMPTS {
        let opened = match open_in(&mirror, config, hub, clock) {
            Err(error) if is_recovered(&mirror, &error) => open_in(&mirror, config, hub, clock),
            opened => opened,
        };
        if let Some(opened) = opened? {
            return Ok(opened);
        }
    }
    let branch = journal_branch(&mirror, config).map_err(Error::Source)?;
    Err(Error::Journal(journal::Error::Contended { branch }))
}

/// Creates the mirror again if damage to it caused an error at the start of the daemon. Returns `true` if so.
fn is_recovered(mirror: &Mirror, error: &Error) -> bool {
    let caused = match error {
        Error::Source(source::Error::Git(error)) | Error::Journal(journal::Error::Git(error)) => error,
        _ => return false,
    };
    mirror.recover(caused).unwrap_or(false)
}

/// Reads the journal and the repository; `None` if others wrote to the journal in the meantime.
fn open_in(mirror: &Arc<Mirror>, config: &Config, hub: &Arc<Hub>, clock: &Clock) -> Result<Option<Opened>, Error> {
    let now = clock.now();
    let failed = |error| Error::Source(source::Error::Git(error));
    let journal = OpenJournal::open(mirror, config, now)?;
    let OpenJournal { mut branch, name, prefix, is_proven } = journal;
    let before = branch.journal().clone();
    let looked = branch.looked_at();
    if config.lease.is_some() && !hub.may_write() {
        return Err(Error::Expired);
    }
    let identity = branch.identify(&config.instance, now).map_err(Error::Journal)?;
    if config.lease.is_some() && branch.begin_term(now).map_err(Error::Journal)? {
        return Ok(None);
    }
    let follow = Follow {
        reference: config.reference.clone(),
        path: config.path.clone(),
        operator: config.operator.clone(),
        policy: config.policy.clone(),
        has_forge: config.forge.is_some(),
        shares_journal: !prefix.is_empty(),
        state_dir: config.state_dir.clone(),
        journal: OwnJournal {
            branch: name.clone(),
            is_named_by_operator: config.journal_branch.is_some(),
            prefix,
            instance: identity.id.clone(),
        },
    };
    // The held add-ons must be taken from the journal before the repository is polled.
    let hub = Arc::clone(hub);
    let judge = Judge {
        floor: config.floor.clone(),
        fleet: Box::new(move || hub.listed_fleet()),
        clock: clock.clone(),
        instance: identity.instance(),
    };
    let mut source = Source::new(mirror.clone(), follow, judge);
    source.resume(&before, is_proven).map_err(failed)?;
    let memory = Memory {
        instance: identity.instance(),
        past: Past { readings: before.readings(), report: Arc::new(before.report()), ..Past::default() },
        looked,
    };
    // What was decided before the restart stays decided.
    let rejected = source.apply(source::Decisions::of(&memory.past.report)).map_err(failed)?;
    let followed = source.poll().map_err(Error::Source)?.or(rejected);
    let reviews = reviews(mirror, config, &before, (name, prefix), is_proven);
    Ok(Some(Opened { source, journal_branch: branch, memory, followed, reviews }))
}

/// The journal of this instance, and whether this instance wrote it.
struct OpenJournal {
    branch: JournalBranch,
    name: String,
    /// The folder of the journal on its branch; empty if it has a branch of its own.
    prefix: &'static str,
    is_proven: bool,
}

impl OpenJournal {
    fn open(mirror: &Arc<Mirror>, config: &Config, now: Timestamp) -> Result<Self, Error> {
        let record = journal::LocalRecord::read(&config.state_dir);
        let name = journal_branch(mirror, config).map_err(Error::Source)?;
        let prefix = if source::is_branch(&config.reference, &name) { STATUS_DIRECTORY } else { "" };
        let opened =
            JournalBranch::open(mirror.clone(), &name, prefix, config.writer.clone(), config.signer.as_deref());
        let branch = opened.map_err(Error::Journal)?;
        let branch = branch.with_followed(config.reference.clone()).with_fleet_time(now);
        let mut branch = branch.with_record(&config.state_dir);
        // Check this before the identity is committed: that commit is signed by us, too, but proves nothing about its ancestors.
        let vouching = Vouching {
            key: config.signer.as_deref(),
            known: record.as_ref().filter(|record| record.branch == name).and_then(|record| record.commit.as_ref()),
            trusted: config.trusted_journal.as_ref(),
        };
        let is_proven = branch.verify(&vouching, now).map_err(Error::Journal)?.is_proven();
        Ok(Self { branch, name, prefix, is_proven })
    }
}

/// Returns the branch of the journal.
pub(in crate::reconciler) fn journal_branch(mirror: &Arc<Mirror>, config: &Config) -> Result<String, source::Error> {
    if let Some(branch) = &config.journal_branch {
        return Ok(branch.clone());
    }
    let record = journal::LocalRecord::read(&config.state_dir);
    let choice = source::Choice {
        reference: &config.reference,
        policy: &config.policy,
        recorded: record.as_ref().map(|record| record.branch.as_str()),
        is_signed: config.signer.is_some(),
    };
    source::trusted_branch(mirror, &choice)
}

/// Returns what the task needs that follows pull requests.
fn reviews(
    mirror: &Arc<Mirror>,
    config: &Config,
    before: &Journal,
    journal: (String, &'static str),
    is_proven: bool,
) -> Reviews {
    let (path, operator, policy) = (config.path.clone(), config.operator.clone(), config.policy.clone());
    let trees = Arc::new(Trees::new(mirror.clone(), path, operator, policy));
    // Anyone who may push could have written an unsigned record. Without one, the forge is asked first.
    let known = if is_proven { before.pull_facts() } else { PullFacts::default() };
    if !is_proven && config.forge.is_some() && !before.pull_facts().records.is_empty() {
        tracing::warn!(
            "the journal is neither signed nor the one that was written with this --state-dir, so the reviews that it records count only once \
             the forge has shown them again, and requests may be opened again; sign it with [journal] signing_key_file"
        );
    }
    Reviews { trees, journal, known }
}

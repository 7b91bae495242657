//! The command: find what is needed, fetch what is missing until nothing is, and write it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::change::{Action, Change, Side, changes};
use super::check::{findings, strays};
use super::fetcher::{Fetcher, NotFetched};
use super::files;
use super::needs::{Found, find};
use super::report::{Report, print};
use super::state::State;
use super::update::Update;
use crate::cli::args::VendorArgs;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::cli::repository::directory;
use crate::cli::repository::discovery::around;
use tidegate_download::Reach;
use tidegate_kustomize::vendor::{LOCK_FILE, Need, State as NeedState, Wanted, What};
use tidegate_model::diagnostic::Diagnostic;
use tidegate_model::digest::short;

/// Most rounds: what is fetched may need more. The walk over the needs refuses deeper nesting before.
const ROUNDS: usize = 40;

/// Vendors, or checks.
pub(crate) fn run(process: &Process, args: &VendorArgs) -> Result<(), Failure> {
    let root = root(&args.path)?;
    if args.check {
        return check(process, &root, args);
    }
    if files::recover(&root)? {
        process.warn_line("an earlier run was interrupted; what it had fetched is in place now");
    }
    let state = read(&root)?.map_err(|problems| refused(process, problems, args))?;
    let (before, old) = (state.tree.clone(), state.lock.clone());
    let update = Update::of(args, &state.lock)?;
    let mut run = Run {
        process,
        fetcher: Fetcher::new(args)?,
        state,
        done: BTreeSet::new(),
        kept: BTreeSet::new(),
        report: Vec::new(),
        has_failed: false,
        is_transient: true,
    };
    run.applications(&update);
    let found = run.vendor(&update);
    // What cannot be rendered may use what seems unused.
    if !run.has_failed && found.problems.is_empty() {
        for directory in run.state.unused(&found.needs) {
            run.state.remove(&directory);
        }
        run.release();
    }
    let Run { state, report: mut diagnostics, has_failed, is_transient, .. } = run;
    diagnostics.extend(found.problems);
    diagnostics.extend(strays(&state));
    diagnostics.sort();
    diagnostics.dedup();
    if has_failed {
        print(process, &Report { entries: old.len(), changes: Vec::new(), diagnostics }, args.output)?;
        process.warn_line("nothing was changed");
        return Err(if is_transient { retry() } else { Failure::Findings });
    }
    let (old, new) = (Side { tree: &before, lock: &old }, Side { tree: &state.tree, lock: &state.lock });
    let changes = changes(old, new);
    if !changes.is_empty() {
        let is_gone = |change: &&Change| matches!(change.action, Action::Removed | Action::Released);
        let written = changes.iter().filter(|change| !is_gone(change));
        files::write(&root, &state, &written.map(|change| change.directory.clone()).collect())?;
    }
    end(process, &Report { entries: state.lock.len(), changes, diagnostics }, args)
}

/// Prints what is not as declared.
fn check(process: &Process, root: &Path, args: &VendorArgs) -> Result<(), Failure> {
    let state = read(root)?.map_err(|problems| refused(process, problems, args))?;
    let diagnostics = findings(&state, &find(&state.tree));
    end(process, &Report { entries: state.lock.len(), changes: Vec::new(), diagnostics }, args)
}

/// Prints a report. Errors in it are findings; warnings are not.
fn end(process: &Process, report: &Report, args: &VendorArgs) -> Result<(), Failure> {
    print(process, report, args.output)?;
    if report.diagnostics.iter().any(Diagnostic::is_error) { Err(Failure::Findings) } else { Ok(()) }
}

/// Prints what is wrong with the lock, and what to do about it.
fn refused(process: &Process, problems: Vec<Diagnostic>, args: &VendorArgs) -> Failure {
    let printed = print(process, &Report { entries: 0, changes: Vec::new(), diagnostics: problems }, args.output);
    process.warn_line(&format!(
        "hint: restore {LOCK_FILE} with Git; without it, everything is resolved again, and may come from newer commits and versions"
    ));
    printed.err().unwrap_or(Failure::Findings)
}

fn retry() -> Failure {
    Failure::Unreachable {
        message: "not everything could be fetched".to_owned(),
        hint: "run the command again when the servers above can be reached".to_owned(),
    }
}

/// Returns the root of the repository around a directory.
fn root(path: &Path) -> Result<PathBuf, Failure> {
    if !path.is_dir() {
        let message = format!("{} is not a directory; name the root of a config repository", path.display());
        return Err(Failure::Usage(message));
    }
    Ok(around(path).root)
}

/// Reads the repository and its lock, or the problems of the lock.
fn read(root: &Path) -> Result<Result<State, Vec<Diagnostic>>, Failure> {
    Ok(State::new(directory::tree(root)?))
}

pub(super) struct Run<'a> {
    pub(super) process: &'a Process,
    pub(super) fetcher: Fetcher<'a>,
    pub(super) state: State,
    /// The directories that were fetched in this run.
    done: BTreeSet<String>,
    /// The directories that are in use.
    kept: BTreeSet<String>,
    pub(super) report: Vec<Diagnostic>,
    /// Whether something could not be fetched.
    pub(super) has_failed: bool,
    /// Whether a retry may help with everything that could not be fetched.
    pub(super) is_transient: bool,
}

impl Run<'_> {
    /// Fetches until nothing is missing, or something cannot be fetched. Returns the needs at the end.
    fn vendor(&mut self, update: &Update) -> Found {
        for _ in 0..ROUNDS {
            let found = find(&self.state.tree);
            let is_done = |need: &Need| need.state.directory().is_some_and(|directory| self.done.contains(directory));
            let is_open = |need: &&Need| !matches!(need.state, NeedState::Current { .. }) || update.selects(need);
            let open: Vec<Need> = found.needs.iter().filter(is_open).filter(|need| !is_done(need)).cloned().collect();
            if open.is_empty() {
                self.conclude(&found);
                return found;
            }
            self.kept = found.needs.iter().filter_map(|need| need.state.directory()).map(str::to_owned).collect();
            for need in &open {
                if let Err(error) = self.fetch((need, found.own_hosts.reach(need)), update) {
                    self.fail(need, error);
                }
            }
            if self.has_failed {
                return Found { problems: Vec::new(), ..found };
            }
        }
        let found = find(&self.state.tree);
        self.conclude(&found);
        found
    }

    /// Reports what remains when nothing more can be fetched.
    fn conclude(&mut self, found: &Found) {
        for need in &found.needs {
            match &need.state {
                NeedState::Current { .. } => {}
                NeedState::Missing => self.fail(need, "it was fetched, but is still missing".to_owned().into()),
                NeedState::Outdated { why, .. } => self.fail(need, why.clone().into()),
            }
        }
    }

    fn fail(&mut self, need: &Need, error: NotFetched) {
        self.has_failed = true;
        self.is_transient &= error.is_transient;
        self.report.push(Diagnostic::error(need.place.clone(), error.message));
    }

    /// Fetches what a need names, and puts it into its directory.
    fn fetch(&mut self, (need, reach): (&Need, Reach), update: &Update) -> Result<(), NotFetched> {
        let entry = need.state.directory().and_then(|directory| self.state.entry(directory)).cloned();
        let locked = entry.filter(|_| !update.selects(need));
        self.process.progress(&format!("fetching {}", need.wanted.name()));
        let fetched = self.fetcher.fetch((need, reach), locked.as_ref(), &self.state.tree)?;
        let directory = self.state.directory_for(need, &fetched.what, &self.kept);
        let old = self.state.entry(&directory).cloned();
        self.state.put(&directory, &fetched)?;
        let new = self.state.entry(&directory);
        if let (Some(locked), Wanted::File(_) | Wanted::FileOrDirectory(_)) = (&locked, &need.wanted)
            && let What::File(file) = &locked.what
            && new.is_some_and(|new| new.files != locked.files)
        {
            let message = format!(
                "the file at {} is not the locked one any more; if that is expected, run `tidegate vendor --update {}`",
                file.source, file.source
            );
            return Err(message.into());
        }
        if let (Some(What::Git(old)), Some(What::Git(new))) = (old.map(|old| old.what), new.map(|new| &new.what))
            && old.commit != new.commit
            && fetched.is_tag
        {
            let message = format!(
                "the tag {} of {} was moved: it was commit {}, and is {} now",
                new.reference.as_deref().unwrap_or_default(),
                new.repository,
                short(&old.commit),
                short(&new.commit)
            );
            self.report.push(Diagnostic::warning(need.place.clone(), message));
        }
        self.report.extend(fetched.warning.map(|warning| Diagnostic::warning(need.place.clone(), warning)));
        self.kept.insert(directory.clone());
        self.done.insert(directory);
        Ok(())
    }
}

//! Moves a ref of a repository from an expected value, while other programs may move or pack it.

use std::time::Duration;

use gix::ObjectId;
use gix::actor::Signature;
use gix::date::parse::TimeBuf;
use gix::lock::acquire::Fail;
use gix::refs::transaction::{Change, LogChange, PreviousValue, RefEdit};

use super::{place, refs};
use crate::request::Update;

/// How long to wait for the lock of a ref, and for that of `packed-refs`.
///
/// # Source
/// The defaults of `core.filesRefLockTimeout` and `core.packedRefsTimeout`, git-config(1).
const LOCK_TIME: [Fail; 2] = [
    Fail::AfterDurationWithBackoff(Duration::from_millis(100)),
    Fail::AfterDurationWithBackoff(Duration::from_secs(1)),
];

/// What came of it.
pub(super) enum Swap {
    /// The ref has the new value.
    Done,
    /// The ref did not have the expected value, but this one; `None` if it does not exist.
    Moved(Option<ObjectId>),
    /// The ref still has the expected value.
    Failed(gix::Error),
}

/// Moves the ref. The committer is recorded in its log, if it has one.
pub(super) fn swap(remote: &gix::Repository, update: &Update, committer: &Signature) -> gix::Result<Swap> {
    let first = attempt(remote, update, committer)?;
    // The library may have compared with a `packed-refs` that was replaced before it got the lock.
    if matches!(first, Swap::Failed(_)) { attempt(&place::open(remote.path())?, update, committer) } else { Ok(first) }
}

fn attempt(remote: &gix::Repository, update: &Update, committer: &Signature) -> gix::Result<Swap> {
    let [own, packed] = LOCK_TIME;
    let expected = update.expect.map_or(PreviousValue::MustNotExist, |id| PreviousValue::MustExistAndMatch(id.into()));
    let log = LogChange { message: "push".into(), ..LogChange::default() };
    let change = Change::Update { log, expected, new: update.new.into() };
    let edit = RefEdit { change, name: update.name.clone(), deref: true };
    let locked = remote.refs.transaction().prepare([edit], own, packed);
    // For the same reason, the library may accept a value that is out of date. Nothing moves the ref while its lock is held.
    let now = current(remote, update)?;
    if now != update.expect {
        return Ok(Swap::Moved(now));
    }
    match locked.and_then(|locked| locked.commit(committer.to_ref(&mut TimeBuf::default()))) {
        Ok(_) => Ok(Swap::Done),
        Err(source) => match current(remote, update)? {
            now if now == update.expect => Ok(Swap::Failed(source)),
            now => Ok(Swap::Moved(now)),
        },
    }
}

/// Returns the value of the ref, from files that are opened anew.
fn current(remote: &gix::Repository, update: &Update) -> gix::Result<Option<ObjectId>> {
    let found = refs::find(&place::open(remote.path())?, std::slice::from_ref(&update.name))?;
    Ok(found.get(&update.name).copied())
}

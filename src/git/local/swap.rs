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

/// Returns the value of the ref, from newly opened files.
fn current(remote: &gix::Repository, update: &Update) -> gix::Result<Option<ObjectId>> {
    let found = refs::find(&place::open(remote.path())?, std::slice::from_ref(&update.name))?;
    Ok(found.get(&update.name).copied())
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::path::Path;

    use super::*;

    const NAME: &str = "refs/heads/journal";

    fn id(digit: char) -> ObjectId {
        ObjectId::from_hex(digit.to_string().repeat(40).as_bytes()).unwrap()
    }

    fn update(expect: Option<ObjectId>) -> Update {
        Update { name: NAME.try_into().unwrap(), expect, new: id('c') }
    }

    fn repository(folder: &Path) -> gix::Repository {
        crate::init_bare(folder, "main").unwrap();
        place::open(folder).unwrap()
    }

    fn pack(folder: &Path, value: ObjectId) {
        fs::write(
            folder.join("packed-refs"),
            format!("# pack-refs with: peeled fully-peeled sorted \n{value} {NAME}\n"),
        )
        .unwrap();
    }

    fn found(remote: &gix::Repository) -> Option<ObjectId> {
        current(remote, &update(None)).unwrap()
    }

    #[test]
    fn a_ref_that_another_writer_moved_since_it_was_listed_is_not_moved() {
        let folder = tempfile::tempdir().unwrap();
        let remote = repository(folder.path());
        for expect in [None, Some(id('a'))] {
            fs::write(folder.path().join(NAME), format!("{}\n", id('b'))).unwrap();
            let swapped = swap(&remote, &update(expect), &Signature::default()).unwrap();
            assert!(matches!(swapped, Swap::Moved(Some(now)) if now == id('b')), "{expect:?}");
            assert_eq!(found(&remote), Some(id('b')));
        }
        fs::remove_file(folder.path().join(NAME)).unwrap();
        let swapped = swap(&remote, &update(Some(id('a'))), &Signature::default()).unwrap();
        assert!(matches!(swapped, Swap::Moved(None)));
        assert_eq!(found(&remote), None);
    }

    #[test]
    fn a_ref_that_was_moved_and_packed_is_not_moved_although_the_library_still_knows_the_old_value() {
        let folder = tempfile::tempdir().unwrap();
        let remote = repository(folder.path());
        pack(folder.path(), id('a'));
        let packed = folder.path().join("packed-refs");
        let time = packed.metadata().unwrap().modified().unwrap();
        assert_eq!(refs::find(&remote, &[NAME.try_into().unwrap()]).unwrap().len(), 1, "the library has read the file");
        pack(folder.path(), id('b'));
        File::options().write(true).open(&packed).unwrap().set_modified(time).unwrap();
        let swapped = swap(&remote, &update(Some(id('a'))), &Signature::default()).unwrap();
        assert!(matches!(swapped, Swap::Moved(Some(now)) if now == id('b')));
        assert_eq!(found(&remote), Some(id('b')));
        assert!(matches!(swap(&remote, &update(Some(id('b'))), &Signature::default()).unwrap(), Swap::Done));
        assert_eq!(found(&remote), Some(id('c')));
    }

    #[test]
    fn a_ref_that_another_process_has_locked_is_not_moved_and_the_lock_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let remote = repository(folder.path());
        fs::write(folder.path().join(NAME), format!("{}\n", id('a'))).unwrap();
        let lock = folder.path().join(format!("{NAME}.lock"));
        fs::write(&lock, "").unwrap();
        let Swap::Failed(error) = swap(&remote, &update(Some(id('a'))), &Signature::default()).unwrap() else {
            panic!("it is locked")
        };
        assert!(format!("{error:?}").contains(lock.to_str().unwrap()), "{error:?}");
        assert!(lock.exists(), "it belongs to another process");
        fs::remove_file(lock).unwrap();
        assert!(matches!(swap(&remote, &update(Some(id('a'))), &Signature::default()).unwrap(), Swap::Done));
    }
}

//! Reads the refs of a repository while other programs update and pack them.

use std::collections::BTreeMap;
use std::io;
use std::time::SystemTime;

use gix::ObjectId;
use gix::refs::{FullName, TargetRef};

/// Number of attempts to read refs while `packed-refs` does not change.
const TRIES: usize = 100;

/// Maximum number of symbolic refs that are followed, as in Git.
const MAX_SYMBOLIC: usize = 5;

/// Returns the object that each ref points at, without those that do not exist. Annotated tags are not peeled.
pub(super) fn find(remote: &gix::Repository, names: &[FullName]) -> gix::Result<BTreeMap<FullName, ObjectId>> {
    steadily(remote, || {
        let mut found = BTreeMap::new();
        for name in names {
            if let Some(id) = target(remote, &name.as_bstr().to_string())? {
                found.insert(name.clone(), id);
            }
        }
        Ok(found)
    })
}

/// Returns the refs whose names match patterns such as `refs/tags/*`, with the object that each points at.
pub(super) fn list(remote: &gix::Repository, patterns: &[String]) -> gix::Result<BTreeMap<String, ObjectId>> {
    steadily(remote, || {
        let mut found = BTreeMap::new();
        for pattern in patterns {
            match pattern.strip_suffix('*') {
                Some(prefix) => list_prefixed(remote, prefix, &mut found)?,
                None => found.extend(target(remote, pattern)?.map(|id| (pattern.clone(), id))),
            }
        }
        Ok(found)
    })
}

fn list_prefixed(remote: &gix::Repository, prefix: &str, found: &mut BTreeMap<String, ObjectId>) -> gix::Result<()> {
    for reference in remote.references()?.prefixed(prefix)? {
        // Git leaves out refs that it cannot read when it lists refs.
        let Ok(reference) = reference else { continue };
        let Ok(name) = std::str::from_utf8(reference.name().as_bstr()) else { continue };
        let id = match reference.target() {
            TargetRef::Object(id) => Some(id.to_owned()),
            TargetRef::Symbolic(_) => target(remote, name)?,
        };
        found.extend(id.map(|id| (name.to_owned(), id)));
    }
    Ok(())
}

/// Reads refs with a function, and again if `packed-refs` was replaced meanwhile.
///
/// A program that packs refs writes `packed-refs` first and then removes the file of each ref. A reader that reads the two in the
/// other order would miss the refs in between, and a ref that is missing means that its branch was deleted.
fn steadily<T>(remote: &gix::Repository, read: impl Fn() -> gix::Result<T>) -> gix::Result<T> {
    let mut before = stamp(remote)?;
    for _ in 0..TRIES {
        let found = read();
        let after = stamp(remote)?;
        if after == before {
            return found;
        }
        before = after;
        // It fails if there is no such file, and then nothing is read from it.
        remote.refs.force_refresh_packed_buffer().ok();
    }
    let why = io::Error::new(io::ErrorKind::ResourceBusy, "another program keeps replacing packed-refs");
    Err(gix::Error::from_error(why))
}

/// Returns what changes when `packed-refs` is replaced; `None` if it does not exist.
fn stamp(remote: &gix::Repository) -> gix::Result<Option<(SystemTime, u64)>> {
    let read = || {
        let file = remote.common_dir().join("packed-refs").metadata()?;
        Ok((file.modified()?, file.len()))
    };
    match read() {
        Ok(stamp) => Ok(Some(stamp)),
        Err(error) if io::Error::kind(&error) == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(gix::Error::from_error(error)),
    }
}

/// Returns the object that a ref points at, if necessary through symbolic refs; `None` if it does not exist.
fn target(remote: &gix::Repository, name: &str) -> gix::Result<Option<ObjectId>> {
    let mut name = name.to_owned();
    for _ in 0..=MAX_SYMBOLIC {
        // The library also looks for the name in other folders, such as `refs/heads/refs/heads/main`.
        let found = remote.try_find_reference(&name)?.filter(|found| found.name().as_bstr() == name.as_str());
        match found.as_ref().map(gix::Reference::target) {
            Some(TargetRef::Object(id)) => return Ok(Some(id.to_owned())),
            Some(TargetRef::Symbolic(next)) => name = next.as_bstr().to_string(),
            None => return Ok(None),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fs;

    use super::*;

    #[test]
    fn a_ref_that_is_packed_while_it_is_read_is_not_missed() {
        let folder = tempfile::tempdir().unwrap();
        crate::init_bare(folder.path(), "main").unwrap();
        let remote = crate::local::open(folder.path()).unwrap();
        let id = ObjectId::from_hex("a".repeat(40).as_bytes()).unwrap();
        let (file, packed) = (folder.path().join("refs/heads/main"), folder.path().join("packed-refs"));
        fs::write(&packed, "# pack-refs with: peeled fully-peeled sorted \n").unwrap();
        fs::write(&file, format!("{id}\n")).unwrap();
        let reads = Cell::new(0);
        let found = steadily(&remote, || {
            // The reader has looked at `packed-refs`, and the writer is done before the reader looks for the file.
            let before = remote.refs.cached_packed_buffer()?;
            if reads.replace(reads.get() + 1) == 0 {
                fs::write(&packed, format!("# pack-refs with: peeled fully-peeled sorted \n{id} refs/heads/main\n"))
                    .unwrap();
                fs::remove_file(&file).unwrap();
                let name: &gix::refs::PartialNameRef = "refs/heads/main".try_into().unwrap();
                let missed = remote.refs.try_find_packed(name, before.as_ref().map(|buffer| &***buffer))?;
                return Ok(missed.map(|_| id));
            }
            target(&remote, "refs/heads/main")
        });
        assert_eq!((found.unwrap(), reads.get()), (Some(id), 2));
    }

    #[test]
    fn a_branch_of_a_similar_name_in_another_folder_is_not_the_branch() {
        let folder = tempfile::tempdir().unwrap();
        crate::init_bare(folder.path(), "main").unwrap();
        let remote = crate::local::open(folder.path()).unwrap();
        fs::create_dir_all(folder.path().join("refs/heads/refs/heads")).unwrap();
        fs::write(folder.path().join("refs/heads/refs/heads/main"), format!("{}\n", "a".repeat(40))).unwrap();
        assert_eq!(find(&remote, &["refs/heads/main".try_into().unwrap()]).unwrap(), BTreeMap::new());
    }

    #[test]
    fn symbolic_refs_are_followed_and_those_without_a_target_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        crate::init_bare(folder.path(), "main").unwrap();
        let remote = crate::local::open(folder.path()).unwrap();
        let heads = folder.path().join("refs/heads");
        fs::write(heads.join("alias"), "ref: refs/heads/main\n").unwrap();
        fs::write(heads.join("circle"), "ref: refs/heads/circle\n").unwrap();
        fs::write(heads.join("broken"), "nonsense").unwrap();
        let all = || list(&remote, &["refs/heads/*".to_owned()]).unwrap().into_keys().collect::<Vec<_>>();
        assert_eq!(all(), [""; 0]);
        fs::write(heads.join("main"), format!("{}\n", "a".repeat(40))).unwrap();
        assert_eq!(all(), ["refs/heads/alias", "refs/heads/main"]);
        assert!(find(&remote, &["refs/heads/broken".try_into().unwrap()]).is_err(), "it is asked for, and exists");
    }
}

//! Writes packfiles: for a push, with just the objects that the remote lacks, and into a repository.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use gix::ObjectId;
use gix::progress::Discard;
use gix_pack::data::output;
use gix_pack::data::output::count::PackLocation;
use gix_pack::data::output::count::objects::ObjectExpansion;
use gix_pack::data::output::entry::iter_from_counts;
use gix_pack::{Bundle, bundle, index};

/// Returns a packfile with every object that is reachable from `tip` but not from the commits that the remote has.
///
/// The packfile is built in memory: only status files and small repositories are pushed.
pub(crate) fn between(
    repository: &gix::Repository,
    remote_has: impl Iterator<Item = ObjectId>,
    tip: ObjectId,
    stop: &AtomicBool,
) -> gix::Result<Vec<u8>> {
    let is_commit = |id: &ObjectId| {
        let header = repository.try_find_header(*id).ok().flatten();
        header.is_some_and(|header| header.kind() == gix::objs::Kind::Commit)
    };
    // Hiding the remote's tips keeps a push small: otherwise the whole history would be sent.
    let missing = repository.rev_walk([tip]).with_hidden(remote_has.filter(is_commit)).all()?;
    let missing = missing.map(|commit| commit.map(|commit| commit.id)).collect::<Result<Vec<_>, _>>()?;

    let mut objects = repository.objects.clone().into_inner();
    objects.prevent_pack_unload();
    let (counts, _) = output::count::objects_unthreaded(
        &objects,
        &mut missing.into_iter().map(Ok),
        &Discard,
        stop,
        ObjectExpansion::TreeAdditionsComparedToAncestor,
    )?;
    let mut pack = Vec::new();
    write(repository, objects, counts, &mut pack)?;
    Ok(pack)
}

/// A pack in a repository.
pub(crate) struct Stored {
    /// The path of its data.
    data: PathBuf,
    /// The path of its index.
    pub(crate) index: PathBuf,
    /// The path of a file that protects it from garbage collection, and has to be removed; `None` if the pack already existed.
    pub(crate) keep: Option<PathBuf>,
}

/// Writes objects of a repository as a pack into a directory of packs, and verifies that it contains them all.
pub(crate) fn store(
    repository: &gix::Repository,
    ids: &BTreeSet<ObjectId>,
    folder: &Path,
    stop: &AtomicBool,
) -> gix::Result<Stored> {
    let mut objects = repository.objects.clone().into_inner();
    objects.prevent_pack_unload();
    let counts = ids.iter().map(|id| output::Count { id: *id, entry_pack_location: PackLocation::NotLookedUp });
    let mut temporary = tempfile::tempfile_in(folder).map_err(io_error)?;
    write(repository, objects, counts.collect(), &mut BufWriter::new(&mut temporary))?;
    temporary.rewind().map_err(io_error)?;
    let outcome = Bundle::write_to_directory(
        &mut BufReader::new(temporary),
        Some(folder),
        &mut Discard,
        stop,
        None::<gix::OdbHandle>,
        repository.object_hash(),
        bundle::write::Options { thread_limit: Some(1), ..Default::default() },
    )?;
    let (Some(index), Some(data)) = (outcome.index_path, outcome.data_path) else {
        return Err(io_error(io::Error::other("the pack was not written to a file")));
    };
    let found = index::File::at(&index, repository.object_hash())?;
    if let Some(lost) = ids.iter().find(|id| found.lookup(id).is_none()) {
        return Err(io_error(io::Error::other(format!("object {lost} is not in the pack that was written"))));
    }
    // Temporary files are readable only by their owner. Git makes packs readable like any other file, and not writable.
    let usual = outcome.keep_path.as_ref().unwrap_or(&data).metadata().map_err(io_error)?;
    for path in [&data, &index] {
        let mut permissions = usual.permissions();
        permissions.set_readonly(true);
        std::fs::set_permissions(path, permissions).map_err(io_error)?;
    }
    Ok(Stored { data, index, keep: outcome.keep_path })
}

impl Stored {
    /// Waits until the pack is on the disk.
    pub(crate) fn sync(&self) -> gix::Result<()> {
        let sync = |path: &Path| File::open(path)?.sync_all();
        [Some(self.data.as_path()), Some(&self.index), self.data.parent()]
            .into_iter()
            .flatten()
            .try_for_each(sync)
            .map_err(io_error)
    }
}

fn io_error(error: io::Error) -> gix::Error {
    gix::Error::from_error(error)
}

/// Writes objects as a packfile.
fn write(
    repository: &gix::Repository,
    objects: impl gix_pack::Find + Send + Clone + 'static,
    counts: Vec<output::Count>,
    to: &mut impl Write,
) -> gix::Result<()> {
    let number = u32::try_from(counts.len()).map_err(gix::Error::from_error)?;
    let options = iter_from_counts::Options { thread_limit: Some(1), ..Default::default() };
    let entries = output::entry::iter_from_counts(counts, objects, Box::new(Discard), options)?;
    let entries = entries.map(|chunk| chunk.map(|(_, entries)| entries));
    let written =
        output::bytes::FromEntriesIter::new(entries, &mut *to, number, Default::default(), repository.object_hash());
    for bytes in written {
        bytes?;
    }
    to.flush().map_err(gix::Error::from_error)
}

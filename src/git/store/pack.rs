//! Writes packfiles: for a push, with just the objects that the remote lacks, and for housekeeping.

use std::io::Write;
use std::sync::atomic::AtomicBool;

use gix::ObjectId;
use gix::progress::Discard;
use gix_pack::data::output;
use gix_pack::data::output::count::objects::ObjectExpansion;
use gix_pack::data::output::entry::iter_from_counts;

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

/// Writes objects as a packfile.
pub(crate) fn write(
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

//! The receiving side of a conversation: lists refs and fetches objects.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::BString;
use gix::progress::Discard;
use gix::refs::FullName;
use gix::remote::Direction;
use gix::remote::fetch::{RefMap, Shallow, Status, Tags};

use crate::Error;
use crate::request::{Depth, RefRequest, matches};
use crate::store::refs;
use crate::transport::{BoxedTransport, Connection};

/// Lists the refs that match patterns such as `refs/tags/*`, without receiving objects.
pub(crate) fn list(
    repository: &gix::Repository,
    connection: &Connection<'_>,
    patterns: &[String],
) -> Result<BTreeMap<String, ObjectId>, Error> {
    // No ref is updated: the right side exists only because a pattern refspec must have one.
    let specs = patterns.iter().map(|pattern| match pattern.strip_suffix('*') {
        Some(folder) => BString::from(format!("{pattern}:refs/tidegate/listed/{folder}*")),
        None => BString::from(pattern.as_str()),
    });
    let remote = remote(repository, connection, specs)?;
    let exchange = || Ok(connect(&remote, connection)?.ref_map(Discard, Default::default())?.0);
    let map = exchange().map_err(|source| connection.to_error(source))?;
    // Servers that do not filter send all refs.
    let named = map.remote_refs.iter().filter_map(|reference| {
        let (name, id, _) = reference.unpack();
        Some((std::str::from_utf8(name).ok()?, id?.to_owned()))
    });
    Ok(named.filter(|(name, _)| matches(patterns, name)).map(|(name, id)| (name.to_owned(), id)).collect())
}

/// Fetches refs and updates the local copies, removing those that the remote does not have.
///
/// `depth` receives the tips on the remote and returns how much of their history to fetch.
pub(crate) fn receive(
    repository: &gix::Repository,
    connection: &Connection<'_>,
    requests: &[RefRequest],
    depth: impl FnOnce(&BTreeMap<FullName, ObjectId>) -> gix::Result<Depth>,
) -> Result<(), Error> {
    let specs = requests.iter().map(|request| BString::from(format!("+{}:{}", request.name, request.local_name)));
    let remote = remote(repository, connection, specs)?;
    let exchange = || {
        let prepared = connect(&remote, connection)?.prepare_fetch(Discard, Default::default())?;
        let tips = tips(prepared.ref_map());
        // Delete removed refs first: a branch may have become a directory of branches.
        let gone = requests.iter().filter(|request| !tips.contains_key(&request.name));
        refs::remove(repository, gone.map(|request| request.local_name.clone()))?;
        // A remote without any of these refs is not an error here, but `receive` would fail.
        if !tips.is_empty() {
            prepared.with_shallow(shallow(depth(&tips)?)).receive(Discard, connection.flag())?;
        }
        Ok(())
    };
    exchange().map_err(|source| connection.to_error(source))
}

/// Fetches commits by their ids; returns `false` if the remote does not send one of them.
pub(crate) fn receive_commits(
    repository: &gix::Repository,
    connection: &Connection<'_>,
    commits: &[ObjectId],
    depth: Depth,
) -> Result<bool, Error> {
    // A refspec that matches nothing keeps the remote from listing all of its refs.
    let nothing = std::iter::once(BString::from("refs/tidegate/nothing/*:refs/tidegate/nothing/*"));
    let specs = commits.iter().map(|id| BString::from(id.to_string())).chain(nothing);
    let remote = remote(repository, connection, specs)?;
    let exchange = || {
        let prepared =
            connect(&remote, connection)?.prepare_fetch(Discard, Default::default())?.with_shallow(shallow(depth));
        let received = prepared.receive(Discard, connection.flag())?;
        // No ref was updated, so the `.keep` file that protects the pack from garbage collection still exists.
        if let Status::Change { write_pack_bundle, .. } = received.status
            && let Some(mark) = write_pack_bundle.keep_path
        {
            std::fs::remove_file(mark).map_err(gix::Error::from_error)?;
        }
        Ok(())
    };
    let mut outcome = exchange();
    for _ in 0..MAX_RETRIES {
        match &outcome {
            Err(error) if is_broken_pipe(error) => outcome = exchange(),
            _ => break,
        }
    }
    match outcome {
        Ok(()) => Ok(true),
        Err(refusal) if is_refusal(&refusal) => Ok(false),
        Err(source) => Err(connection.to_error(source)),
    }
}

fn shallow(depth: Depth) -> Shallow {
    match depth {
        Depth::Missing => Shallow::NoChange,
        Depth::Commits(number) => Shallow::DepthAtRemote(number),
    }
}

/// Number of retries. A program that serves a remote reports that it does not send a commit, and exits. If it exits before it has
/// read the whole request, writing to it fails and its message is lost, so the request is repeated.
const MAX_RETRIES: usize = 5;

fn is_broken_pipe(error: &gix::Error) -> bool {
    error.downcast_any_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Returns `true` if the remote reported that it does not send a commit: it lacks the commit, or serves only branches.
fn is_refusal(error: &gix::Error) -> bool {
    let message = format!("{error:?} {error:#}").to_lowercase();
    // With protocol version 1, gix 0.90 misreads the "E" of "ERR" as a side-band channel number.
    ["not our ref", "unadvertised object", "non-side channel line or input was malformed: 69"]
        .iter()
        .any(|refusal| message.contains(refusal))
}

fn remote<'a>(
    repository: &'a gix::Repository,
    connection: &Connection<'_>,
    specs: impl Iterator<Item = BString>,
) -> Result<gix::Remote<'a>, Error> {
    repository
        .remote_at_without_url_rewrite(connection.url().clone())
        .and_then(|remote| remote.with_fetch_tags(Tags::None).with_refspecs(specs, Direction::Fetch))
        .map_err(Error::local("prepare a fetch"))
}

/// Opens the transport, with the credentials and the options of the HTTP client.
fn connect<'a, 'b>(
    remote: &'a gix::Remote<'b>,
    connection: &Connection<'_>,
) -> gix::Result<gix::remote::Connection<'a, 'static, 'b, BoxedTransport>> {
    let (url, version) = remote.sanitized_url_and_version(Direction::Fetch)?;
    let transport = connection.open(url, version)?;
    let mut session = remote.to_connection_with_transport(transport).with_credentials(connection.authenticate());
    if let Some(options) = connection.http_options() {
        session.set_transport_options(Box::new(options));
    }
    Ok(session)
}

fn tips(remote: &RefMap) -> BTreeMap<FullName, ObjectId> {
    let named = remote.mappings.iter().filter_map(|mapping| {
        let name = FullName::try_from(mapping.remote.as_name()?).ok()?;
        Some((name, mapping.remote.as_id()?.to_owned()))
    });
    named.collect()
}

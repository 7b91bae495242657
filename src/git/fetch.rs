//! Fetching: what is asked for, and where it is kept.

use std::collections::BTreeMap;

use gix::bstr::{BString, ByteSlice};
use gix::progress::Discard;
use gix::refs::FullName;
use gix::remote::Direction;
use gix::remote::fetch::Tags;

use super::connection::Connection;
use super::{Error, Mirror, id, reference};
use crate::model::revision::CommitId;

const HEADS: &[u8] = b"refs/heads/";

impl Mirror {
    /// Fetches branches with their history and returns their tips. Blocks.
    ///
    /// A branch that was rewritten on the remote is followed. Its old commits stay in the mirror.
    ///
    /// # Shape
    /// One entry per branch that exists on the remote, by its short name; none if the remote is empty.
    ///
    /// # Errors
    /// [`Error::Unreachable`] and [`Error::TimedOut`] are transient; whatever the error, the mirror holds what it held.
    pub fn fetch(&self, branches: &[&str]) -> Result<BTreeMap<String, CommitId>, Error> {
        let names = branches.iter().map(|branch| id::branch(branch)).collect::<Result<Vec<_>, _>>()?;
        if names.is_empty() {
            return Ok(BTreeMap::new());
        }
        let connection = self.connection()?;
        let repository = self.repository();
        let tips = receive(&repository, &connection, &names)?;
        self.renew()?;
        let repository = self.repository();
        tips.values().try_for_each(|tip| id::known(&repository, tip).map(drop))?;
        Ok(tips)
    }
}

fn receive(
    repository: &gix::Repository,
    connection: &Connection<'_>,
    names: &[FullName],
) -> Result<BTreeMap<String, CommitId>, Error> {
    let specs = names.iter().map(|name| BString::from(format!("+{name}:{}", tracking(name))));
    let remote = repository
        .remote_at_without_url_rewrite(connection.url().clone())
        .and_then(|remote| remote.with_fetch_tags(Tags::None).with_refspecs(specs, Direction::Fetch))
        .map_err(Error::local("prepare a fetch"))?;
    let talk = || {
        let mut talk = remote.connect(Direction::Fetch)?.with_credentials(connection.authenticate());
        if let Some(options) = connection.http_options() {
            talk.set_transport_options(Box::new(options));
        }
        let prepared = talk.prepare_fetch(Discard, Default::default())?;
        let tips = tips(prepared.ref_map());
        // What is gone goes first: a branch may have become a folder of branches.
        let gone = names.iter().filter(|name| !tips.contains_key(short(name)));
        reference::remove(repository, gone.map(tracking))?;
        // A remote that has none of the branches is no failure here, but it would be one of `receive`.
        if !tips.is_empty() {
            prepared.receive(Discard, connection.flag())?;
        }
        Ok(tips)
    };
    talk().map_err(|source| connection.error(source))
}

fn tips(remote: &gix::remote::fetch::RefMap) -> BTreeMap<String, CommitId> {
    let named = remote.mappings.iter().filter_map(|mapping| {
        let name = mapping.remote.as_name()?.strip_prefix(HEADS)?.to_str().ok()?;
        Some((name.to_owned(), id::commit_id(mapping.remote.as_id()?)))
    });
    named.collect()
}

fn short(name: &FullName) -> &str {
    name.as_bstr().strip_prefix(HEADS).and_then(|name| name.to_str().ok()).unwrap_or_default()
}

fn tracking(name: &FullName) -> FullName {
    let tracking = format!("refs/remotes/origin/{}", short(name));
    FullName::try_from(tracking.as_str()).expect("a valid branch name is valid below refs/remotes/origin")
}

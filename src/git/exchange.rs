//! One exchange with a remote: in this process if it is a repository on this machine, and otherwise over Git's protocol.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gix::ObjectId;
use gix::protocol::transport::Service;
use gix::refs::FullName;

use crate::protocol::{fetch, push};
use crate::request::{Depth, Outcome, Received, RefRequest, Update};
use crate::transport::Connection;
use crate::{Error, Remote, local};

/// The state of one exchange.
pub(crate) struct Exchange<'a> {
    connection: Connection<'a>,
    way: Way,
}

/// How the remote is reached.
enum Way {
    /// Its files are read and written in this process.
    InProcess(Box<gix::Repository>),
    /// A server answers, or one of the git programs if the remote is on this machine.
    Protocol,
}

impl<'a> Exchange<'a> {
    /// Reads the credentials, starts the deadline, and opens the remote if it is on this machine.
    pub(crate) fn new(
        remote: &'a Remote,
        state: &Path,
        service: Service,
        stop: &Arc<AtomicBool>,
    ) -> Result<Self, Error> {
        let connection = Connection::new(remote, state, service, stop)?;
        let Some(path) = remote.local_path() else { return Ok(Self { connection, way: Way::Protocol }) };
        // The programs do not distinguish a wrong path from a broken connection, so the path is checked in any case.
        let repository = local::open(&path).map_err(|source| connection.to_local_error(source))?;
        let needs_programs = local::needs_programs(&repository, service);
        let way = if needs_programs { Way::Protocol } else { Way::InProcess(Box::new(repository)) };
        Ok(Self { connection, way })
    }

    /// Allows one request to take as long as the whole exchange, for responses as large as a history.
    pub(crate) fn with_long_requests(self) -> Self {
        Self { connection: self.connection.with_long_requests(), ..self }
    }

    /// Lists the refs that match patterns such as `refs/tags/*`, without receiving objects.
    pub(crate) fn list(
        &self,
        mirror: &gix::Repository,
        patterns: &[String],
    ) -> Result<BTreeMap<String, ObjectId>, Error> {
        match &self.way {
            Way::InProcess(remote) => local::list(remote, &self.connection, patterns),
            Way::Protocol => fetch::list(mirror, &self.connection, patterns),
        }
    }

    /// Fetches refs and updates the local copies, removing those that the remote does not have.
    ///
    /// `depth` receives the tips on the remote and returns how much of their history to fetch.
    pub(crate) fn receive(
        &self,
        mirror: &gix::Repository,
        requests: &[RefRequest],
        depth: impl Fn(&BTreeMap<FullName, ObjectId>) -> gix::Result<Depth>,
    ) -> Result<Received, Error> {
        match &self.way {
            Way::InProcess(remote) => local::receive(mirror, remote, &self.connection, requests, depth),
            Way::Protocol => fetch::receive(mirror, &self.connection, requests, depth).map(|()| Received::Objects),
        }
    }

    /// Fetches commits by their ids; returns `false` if the remote does not send one of them.
    pub(crate) fn receive_commits(
        &self,
        mirror: &gix::Repository,
        commits: &[ObjectId],
        depth: Depth,
    ) -> Result<bool, Error> {
        match &self.way {
            Way::InProcess(remote) => local::receive_commits(mirror, remote, &self.connection, commits, depth),
            Way::Protocol => fetch::receive_commits(mirror, &self.connection, commits, depth),
        }
    }

    /// Sends an update and the objects that the remote lacks.
    pub(crate) fn send(&self, mirror: &gix::Repository, update: &Update) -> Result<Outcome, Error> {
        match &self.way {
            Way::InProcess(remote) => local::send(mirror, remote, &self.connection, update),
            Way::Protocol => {
                push::send(mirror, &self.connection, update).map_err(|source| self.connection.to_error(source))
            }
        }
    }

    /// Removes the token from text of the remote, so that it may be shown.
    pub(crate) fn redact(&self, text: &str) -> String {
        self.connection.redact(text)
    }
}

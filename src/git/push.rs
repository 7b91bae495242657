//! Pushing: the sending side of Git's receive-pack protocol.
//!
//! Every ref is sent with its expected old value, which the remote compares while it holds its own lock. So the remote
//! refuses a lost race, whatever happened between listing and sending.
//!
//! # Source
//! Git's `gitprotocol-pack`, sections "Pushing Data To a Server" and "Report Status".

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::ops::ControlFlow;

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::progress::Discard;
use gix::protocol::Handshake;
use gix::protocol::transport::client::{MessageKind, WriteMode};
use gix::protocol::transport::{Protocol, Service};
use gix::refs::FullName;

use super::connection::{Connection, Conversation};
use super::report::{Report, packet_lines};
use super::words::printable;
use super::{Error, Mirror, PushError, id, pack};
use tidegate_model::revision::CommitId;

/// Limit in bytes on what is kept of a remote's report, and of the output of its hooks.
const ANSWER_BYTES: u64 = 64 << 10;

/// A ref update.
struct Update {
    name: FullName,
    expect: Option<ObjectId>,
    new: ObjectId,
}

/// The result of an update on the remote.
enum Verdict {
    Done,
    Stale(Option<ObjectId>),
    Refused { reason: String, messages: String },
}

impl Mirror {
    /// Moves a branch of the remote from an expected commit to a commit of the mirror. Blocks.
    ///
    /// With `None` the branch must not exist.
    ///
    /// If the branch is already at the new commit, the push succeeds, so that a push whose response was lost can be
    /// repeated.
    ///
    /// # Errors
    /// [`PushError::Stale`] if the branch is not at the expected commit, [`PushError::Rejected`] if the remote's rules
    /// forbid the push; the remote is unchanged. [`Error::NotFastForward`] if the new commit does not descend from the
    /// expected one: commits of the remote are never dropped.
    pub fn push(&self, branch: &str, expect: Option<&CommitId>, new: &CommitId) -> Result<(), PushError> {
        if let Some(old) = expect
            && !self.is_ancestor(old, new)?
        {
            return Err(PushError::Failed(Error::NotFastForward { old: old.clone(), new: new.clone() }));
        }
        let repository = self.repository();
        let update = Update {
            name: id::branch(branch)?,
            expect: expect.map(|old| id::known(&repository, old)).transpose()?,
            new: id::known(&repository, new)?,
        };
        let connection = self.connection(Service::ReceivePack)?;
        let verdict = sent(&repository, &connection, &update).map_err(|source| connection.error(source))?;
        match verdict {
            Verdict::Done => Ok(()),
            Verdict::Stale(remote) => Err(PushError::Stale { remote: remote.map(id::commit_id) }),
            Verdict::Refused { reason, messages } => {
                let (reason, messages) = (connection.scrub(&reason), connection.scrub(&messages));
                Err(PushError::Rejected { reason, messages })
            }
        }
    }
}

fn sent(repository: &gix::Repository, connection: &Connection<'_>, update: &Update) -> gix::Result<Verdict> {
    let (mut transport, handshake) = greeted(connection)?;
    let remote = references(&handshake);
    let now = remote.get(update.name.as_bstr()).copied();
    if now == Some(update.new) || now != update.expect {
        goodbye(&mut transport);
        return Ok(if now == Some(update.new) { Verdict::Done } else { Verdict::Stale(now) });
    }
    // The packfile is built before the request is opened, so that a failure here sends nothing.
    let pack = pack::between(repository, remote.into_values(), update.new, connection.flag())?;
    let (report, messages) = requested(&mut transport, &handshake, update, &pack)?;
    let Some(reason) = report.refusal(update.name.as_bstr().to_str_lossy().as_ref()) else { return Ok(Verdict::Done) };
    // Servers word a lost race in many ways, so look at the branch again instead.
    let (mut transport, handshake) = greeted(connection)?;
    goodbye(&mut transport);
    let now = references(&handshake).get(update.name.as_bstr()).copied();
    let refused = || Verdict::Refused { reason: printable(reason.as_bytes()), messages };
    Ok(if now == update.expect { refused() } else { Verdict::Stale(now) })
}

/// Opens the conversation; the remote answers with its refs and capabilities.
fn greeted(connection: &Connection<'_>) -> gix::Result<(Conversation, Handshake)> {
    let mut transport = connection.open(connection.url().clone(), Protocol::V1)?;
    if let Some(options) = connection.http_options() {
        transport.configure(&options)?;
    }
    let authenticate = connection.authenticate();
    let handshake =
        gix::protocol::handshake(&mut transport, Service::ReceivePack, authenticate, Vec::new(), &mut Discard)?;
    Ok((transport, handshake))
}

/// Ends a conversation in which nothing is sent. Otherwise a program on the other side complains that the connection
/// hung up.
fn goodbye(transport: &mut Conversation) {
    if transport.connection_persists_across_multiple_requests()
        && let Ok(mut request) = transport.request(WriteMode::default(), MessageKind::Flush, false)
    {
        // This is only a courtesy: the answer has already been received.
        request.write_message(MessageKind::Flush).ok();
    }
}

fn references(handshake: &Handshake) -> BTreeMap<BString, ObjectId> {
    let all = handshake.refs.iter().flatten().map(gix::protocol::handshake::Ref::unpack);
    all.filter_map(|(name, id, _)| Some((name.to_owned(), id?.to_owned()))).collect()
}

/// Sends the command and the packfile, and reads the report and the output of hooks.
fn requested(
    transport: &mut Conversation,
    handshake: &Handshake,
    update: &Update,
    pack: &[u8],
) -> gix::Result<(Report, String)> {
    let sideband = handshake.capabilities.contains("side-band-64k");
    let fail = |error: std::io::Error| gix::Error::from_error(error);
    let printed = RefCell::new(Vec::new());
    // This mode sends an HTTP request with its length instead of in chunks, as old servers and proxies require.
    let mode = WriteMode::OneLfTerminatedLinePerWriteCall;
    let mut request = transport.request(mode, MessageKind::Flush, false).map_err(gix::Error::from_error)?;
    request.write_all(&command(update, sideband, handshake)).map_err(fail)?;
    request.write_message(MessageKind::Flush).map_err(fail)?;
    let (mut body, mut answer) = request.into_parts();
    body.write_all(pack).and_then(|()| body.flush()).map_err(fail)?;
    // Dropping it ends the body of an HTTP request.
    drop(body);

    answer.reset(Protocol::V1);
    if !sideband {
        let mut lines = Vec::new();
        answer.take(ANSWER_BYTES).read_to_end(&mut lines).map_err(fail)?;
        return Ok((Report::new(lines.split(|byte| *byte == b'\n')), String::new()));
    }
    answer.set_progress_handler(Some(Box::new(|_, text| {
        let mut printed = printed.borrow_mut();
        let room = (ANSWER_BYTES as usize).saturating_sub(printed.len());
        // The line endings were removed, so add them back.
        printed.extend(text.iter().chain(b"\n").take(room));
        ControlFlow::Continue(())
    })));
    let mut report = Vec::new();
    answer.by_ref().take(ANSWER_BYTES).read_to_end(&mut report).map_err(fail)?;
    drop(answer);
    Ok((Report::new(packet_lines(&report)), printable(&printed.into_inner())))
}

fn command(update: &Update, sideband: bool, handshake: &Handshake) -> Vec<u8> {
    let old = update.expect.unwrap_or_else(|| ObjectId::null(update.new.kind()));
    let mut wanted = format!("report-status agent=tidegate/{}", env!("CARGO_PKG_VERSION"));
    if handshake.capabilities.contains("object-format") {
        wanted.push_str(&format!(" object-format={}", update.new.kind()));
    }
    if sideband {
        wanted.push_str(" side-band-64k");
    }
    format!("{old} {} {}\0{wanted}", update.new, update.name).into_bytes()
}

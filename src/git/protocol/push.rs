//! The sending side of Git's receive-pack protocol.
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

use crate::request::{Outcome, Update};
use crate::sanitize::printable;
use crate::store::pack;
use crate::transport::{BoxedTransport, Connection};

/// Limit in bytes on what is kept of a remote's report, and of the output of its hooks.
const ANSWER_BYTES: u64 = 64 << 10;

/// Sends the update and the objects that the remote lacks.
pub(crate) fn send(repository: &gix::Repository, connection: &Connection<'_>, update: &Update) -> gix::Result<Outcome> {
    let (mut transport, handshake) = connect(connection)?;
    let remote = remote_refs(&handshake);
    let now = remote.get(update.name.as_bstr()).copied();
    if let Some(outcome) = update.settled(now) {
        close(&mut transport);
        return Ok(outcome);
    }
    // The packfile is built before the request is opened, so that a failure here sends nothing.
    let pack = pack::between(repository, remote.into_values(), update.new, connection.flag())?;
    let (report, messages) = send_update(&mut transport, &handshake, update, &pack)?;
    let Some(reason) = report.refusal(update.name.as_bstr().to_str_lossy().as_ref()) else { return Ok(Outcome::Done) };
    // Servers word a lost race in many ways, so look at the branch again instead.
    let (mut transport, handshake) = connect(connection)?;
    close(&mut transport);
    let now = remote_refs(&handshake).get(update.name.as_bstr()).copied();
    let refused = || Outcome::Refused { reason: printable(reason.as_bytes()), messages };
    Ok(if now == update.expect { refused() } else { Outcome::Stale(now) })
}

/// Opens the conversation; the remote answers with its refs and capabilities.
fn connect(connection: &Connection<'_>) -> gix::Result<(BoxedTransport, Handshake)> {
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
fn close(transport: &mut BoxedTransport) {
    if transport.connection_persists_across_multiple_requests()
        && let Ok(mut request) = transport.request(WriteMode::default(), MessageKind::Flush, false)
    {
        // This is only a courtesy: the answer has already been received.
        request.write_message(MessageKind::Flush).ok();
    }
}

fn remote_refs(handshake: &Handshake) -> BTreeMap<BString, ObjectId> {
    let all = handshake.refs.iter().flatten().map(gix::protocol::handshake::Ref::unpack);
    all.filter_map(|(name, id, _)| Some((name.to_owned(), id?.to_owned()))).collect()
}

/// Sends the command and the packfile, and reads the report and the output of hooks.
fn send_update(
    transport: &mut BoxedTransport,
    handshake: &Handshake,
    update: &Update,
    pack: &[u8],
) -> gix::Result<(Report, String)> {
    let sideband = handshake.capabilities.contains("side-band-64k");
    let fail = |error: std::io::Error| gix::Error::from_error(error);
    let hook_output = RefCell::new(Vec::new());
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
        let mut hook_output = hook_output.borrow_mut();
        let room = (ANSWER_BYTES as usize).saturating_sub(hook_output.len());
        // The line endings were removed, so add them back.
        hook_output.extend(text.iter().chain(b"\n").take(room));
        ControlFlow::Continue(())
    })));
    let mut report = Vec::new();
    answer.by_ref().take(ANSWER_BYTES).read_to_end(&mut report).map_err(fail)?;
    drop(answer);
    Ok((Report::new(packet_lines(&report)), printable(&hook_output.into_inner())))
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

/// The report of a remote about a push.
#[derive(Debug, Default, PartialEq, Eq)]
struct Report {
    /// Why the packfile was not unpacked; `None` if it was.
    unpack: Option<String>,
    /// Why each ref was not updated; `None` for a ref that was.
    references: BTreeMap<String, Option<String>>,
}

impl Report {
    /// Parses the lines of a report. Unknown lines are ignored.
    fn new<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut report = Self::default();
        for line in lines {
            let line = String::from_utf8_lossy(line);
            match line.trim_end().split_once(' ') {
                Some(("unpack", result)) => report.unpack = (result != "ok").then(|| result.to_owned()),
                Some(("ok", name)) => drop(report.references.insert(name.to_owned(), None)),
                Some(("ng", rest)) => {
                    let (name, reason) = rest.split_once(' ').unwrap_or((rest, "no reason given"));
                    report.references.insert(name.to_owned(), Some(reason.to_owned()));
                }
                _ => {}
            }
        }
        report
    }

    /// Returns why a ref was not updated; `None` if it was.
    fn refusal(&self, name: &str) -> Option<&str> {
        match self.references.get(name) {
            // Prefer the unpack error: the ref's reason is then only "unpacker error".
            Some(reason) => reason.as_deref().map(|reason| self.unpack.as_deref().unwrap_or(reason)),
            None => Some(self.unpack.as_deref().unwrap_or("the remote did not confirm it")),
        }
    }
}

/// Splits bytes into pkt-lines. The iterator ends at the end of the bytes or at an invalid length.
fn packet_lines(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        loop {
            let (length, rest) = bytes.split_at_checked(4)?;
            let length = usize::from_str_radix(std::str::from_utf8(length).ok()?, 16).ok()?;
            // Lengths below four are special packets, such as the flush packet, and carry no data.
            let (line, rest) = rest.split_at_checked(length.saturating_sub(4))?;
            bytes = rest;
            if length >= 4 {
                return Some(line);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(bytes: &[u8]) -> Report {
        Report::new(packet_lines(bytes))
    }

    #[test]
    fn report_has_the_result_for_each_ref() {
        let report = report(b"000eunpack ok\n0017ok refs/heads/main\n0022ng refs/heads/x hook declined\n0000");
        assert_eq!(report.refusal("refs/heads/main"), None);
        assert_eq!(report.refusal("refs/heads/x"), Some("hook declined"));
        assert_eq!(report.refusal("refs/heads/y"), Some("the remote did not confirm it"));
    }

    #[test]
    fn unpack_error_is_preferred_as_the_reason() {
        let report = report(b"0015unpack disk full\n002bng refs/heads/main unpacker error (x)\n0000");
        assert_eq!(report.refusal("refs/heads/main"), Some("disk full"));
    }

    proptest::proptest! {
        #[test]
        fn no_input_causes_a_panic(bytes: Vec<u8>, prefix in "[0-9a-f]{4}") {
            let mut hostile = prefix.into_bytes();
            hostile.extend(bytes);
            report(&hostile);
        }
    }
}

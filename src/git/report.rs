//! What a remote reports about a push: whether the pack was taken, and the fate of each reference.
//!
//! # Source
//! Git's `gitprotocol-pack`, section "Report Status".

use std::collections::BTreeMap;

/// The report of a remote about a push.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    /// Why the pack was not taken; `None` if it was.
    unpack: Option<String>,
    /// Why each reference was not moved; `None` for one that was.
    references: BTreeMap<String, Option<String>>,
}

impl Report {
    /// Reads the lines of a report. Lines that it does not know are ignored.
    pub(super) fn new<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Self {
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

    /// Returns why a reference was not moved, `None` if it was.
    pub(super) fn refusal(&self, name: &str) -> Option<&str> {
        match self.references.get(name) {
            // The reason of the pack is the better one: that of the reference then only says "unpacker error".
            Some(reason) => reason.as_deref().map(|reason| self.unpack.as_deref().unwrap_or(reason)),
            None => Some(self.unpack.as_deref().unwrap_or("the remote did not confirm it")),
        }
    }
}

/// Cuts bytes into the packet lines that they hold. A broken length ends it, as the end of the bytes does.
pub(super) fn packet_lines(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        loop {
            let (length, rest) = bytes.split_at_checked(4)?;
            let length = usize::from_str_radix(std::str::from_utf8(length).ok()?, 16).ok()?;
            // Lengths below four are markers, such as the flush, and carry nothing.
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
    fn report_tells_the_fate_of_each_reference() {
        let report = report(b"000eunpack ok\n0017ok refs/heads/main\n0022ng refs/heads/x hook declined\n0000");
        assert_eq!(report.refusal("refs/heads/main"), None);
        assert_eq!(report.refusal("refs/heads/x"), Some("hook declined"));
        assert_eq!(report.refusal("refs/heads/y"), Some("the remote did not confirm it"));
    }

    #[test]
    fn failed_pack_is_the_reason_that_is_given() {
        let report = report(b"0015unpack disk full\n002bng refs/heads/main unpacker error (x)\n0000");
        assert_eq!(report.refusal("refs/heads/main"), Some("disk full"));
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_break_the_reader(bytes: Vec<u8>, prefix in "[0-9a-f]{4}") {
            let mut hostile = prefix.into_bytes();
            hostile.extend(bytes);
            report(&hostile);
        }
    }
}

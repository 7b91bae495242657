//! The report of a remote about a push: whether the packfile was unpacked, and the result for each ref.
//!
//! # Source
//! Git's `gitprotocol-pack`, section "Report Status".

use std::collections::BTreeMap;

/// The report of a remote about a push.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    /// Why the packfile was not unpacked; `None` if it was.
    unpack: Option<String>,
    /// Why each ref was not updated; `None` for a ref that was.
    references: BTreeMap<String, Option<String>>,
}

impl Report {
    /// Parses the lines of a report. Unknown lines are ignored.
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

    /// Returns why a ref was not updated; `None` if it was.
    pub(super) fn refusal(&self, name: &str) -> Option<&str> {
        match self.references.get(name) {
            // Prefer the unpack error: the ref's reason is then only "unpacker error".
            Some(reason) => reason.as_deref().map(|reason| self.unpack.as_deref().unwrap_or(reason)),
            None => Some(self.unpack.as_deref().unwrap_or("the remote did not confirm it")),
        }
    }
}

/// Splits bytes into pkt-lines. The iterator ends at the end of the bytes or at an invalid length.
pub(super) fn packet_lines(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
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

//! Do the certificates that the access to the hub depends on end soon?

use std::fmt;

use crate::doctor::facts::{Certificate, Unknown};
use crate::doctor::line::{Level, Verdict};
use tidegate_model::time::{SignedDuration, Timestamp};

/// How long before its end a certificate is reported: a week of holidays.
const NOTICE: SignedDuration = SignedDuration::from_hours(14 * 24);

/// The certificate that ends first, or one that cannot be read.
pub(super) enum Ending<'a> {
    None,
    Unreadable(&'a Certificate, &'a Unknown),
    Expired(&'a Certificate, Timestamp),
    Soon(&'a Certificate, Timestamp),
    Later(&'a Certificate, Timestamp),
}

/// Judges all certificates by the one that ends first.
pub(super) fn certificates(all: &[Certificate], now: Timestamp) -> Ending<'_> {
    let known = all.iter().filter_map(|certificate| Some((certificate, *certificate.ends.as_ref().ok()?)));
    let first = known.min_by_key(|(_, ends)| *ends);
    let unreadable = all.iter().find_map(|certificate| Some((certificate, certificate.ends.as_ref().err()?)));
    match (first, unreadable) {
        (Some((certificate, ends)), _) if ends <= now => Ending::Expired(certificate, ends),
        (Some((certificate, ends)), _) if ends.duration_since(now) < NOTICE => Ending::Soon(certificate, ends),
        (_, Some((certificate, why))) => Ending::Unreadable(certificate, why),
        (Some((certificate, ends)), None) => Ending::Later(certificate, ends),
        (None, None) => Ending::None,
    }
}

impl fmt::Display for Ending<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => write!(f, "the access to the hub depends on no client certificate"),
            Self::Unreadable(certificate, why) => write!(f, "{}: {why}", certificate.of),
            Self::Expired(certificate, at) => write!(f, "{} has expired on {at}", certificate.of),
            Self::Soon(certificate, at) => write!(f, "{} expires soon, on {at}", certificate.of),
            Self::Later(certificate, at) => write!(f, "none expires before {at} ({})", certificate.of),
        }
    }
}

impl Verdict for Ending<'_> {
    fn level(&self) -> Level {
        match self {
            Self::None | Self::Later(..) => Level::Ok,
            Self::Unreadable(..) | Self::Soon(..) => Level::Warn,
            Self::Expired(..) => Level::Fail,
        }
    }

    fn fix(&self) -> Option<String> {
        match self {
            Self::None | Self::Later(..) => None,
            Self::Unreadable(_, why) => why.fix(),
            Self::Expired(certificate, _) | Self::Soon(certificate, _) => Some(format!("renew {}", certificate.of)),
        }
    }
}

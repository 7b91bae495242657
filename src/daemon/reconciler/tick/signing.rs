//! The certificates of custom signers: the Secret of an authority is read when it has to sign, and forgotten afterwards.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use k8s_openapi::api::certificates::v1::CertificateSigningRequest;
use k8s_openapi::api::core::v1::Secret;
use ring::rand::{SecureRandom as _, SystemRandom};

use crate::hub::{self, Hub};
use tidegate_delivery::registration::{Authority, Request, Serial, Unusable, certificate, issued, replaced};
use tidegate_model::action::{Lane, Stage, Subresource};
use tidegate_model::backoff::Backoff;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::name::NamespacedName;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::Issue;

/// The pauses between attempts with an authority that cannot sign. Secrets are not watched, so a Secret that appears is found after at
/// most the longest one.
const BACKOFF: Backoff = Backoff { first: Duration::from_secs(1), longest: Duration::from_secs(60) };

/// Issues certificates, and remembers which authorities cannot.
#[derive(Debug, Default)]
pub(super) struct Signing {
    failing: BTreeMap<NamespacedName, Failing>,
}

#[derive(Debug)]
struct Failing {
    why: String,
    tries: u32,
    look_at: Timestamp,
}

/// Why an authority cannot sign.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("it cannot be read; create it, or let Tidegate get it as docs/hub.md shows")]
    Read(#[source] hub::Error),
    #[error("its keys tls.crt and tls.key cannot be used")]
    Unusable(#[from] Unusable),
}

impl Signing {
    /// Returns the writes of the certificates. An authority that could not sign is not read again before its pause is over.
    pub(super) async fn lanes(&mut self, hub: &Hub, issues: Vec<Issue>, now: Timestamp) -> Vec<Lane> {
        let mut requests: BTreeMap<NamespacedName, Vec<Arc<CertificateSigningRequest>>> = BTreeMap::new();
        for Issue { request, authority } in issues {
            requests.entry(authority).or_default().push(request);
        }
        self.failing.retain(|authority, _| requests.contains_key(authority));
        let mut lanes = Vec::new();
        for (name, requests) in requests {
            if self.failing.get(&name).is_some_and(|failing| failing.look_at > now) {
                continue;
            }
            let signed = match hub.secret(&name).await {
                Ok(secret) => signed(&secret, &requests, now).map_err(Error::Unusable),
                Err(error) => Err(Error::Read(error)),
            };
            match signed {
                Ok(signed) => {
                    self.failing.remove(&name);
                    lanes.extend(signed);
                }
                Err(error) => self.fail(name, &error, now),
            }
        }
        lanes
    }

    /// Records that an authority could not sign. A reason is logged once.
    fn fail(&mut self, name: NamespacedName, error: &Error, now: Timestamp) {
        let why = ErrorChain(error).to_string();
        let before = self.failing.remove(&name);
        if before.as_ref().is_none_or(|before| before.why != why) {
            tracing::warn!(secret = %name, error = why, "certificates of add-on agents could not be signed");
        }
        let tries = before.map_or(0, |before| before.tries) + 1;
        let look_at = now + SignedDuration::try_from(BACKOFF.after(tries)).unwrap_or(SignedDuration::ZERO);
        self.failing.insert(name, Failing { why, tries, look_at });
    }

    /// Returns the next moment at which an authority is tried.
    pub(super) fn look_at(&self) -> Option<Timestamp> {
        self.failing.values().map(|failing| failing.look_at).min()
    }

    /// Returns one line for each authority that cannot sign.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        self.failing.iter().map(|(name, Failing { why, .. })| {
            format!("Secret {name} cannot sign the certificates of add-on agents: {why}")
        })
    }
}

/// Returns the writes of the certificates that an authority signs.
///
/// # Errors
/// [`Unusable`] if it can sign none of them.
fn signed(secret: &Secret, requests: &[Arc<CertificateSigningRequest>], now: Timestamp) -> Result<Vec<Lane>, Unusable> {
    let random = SystemRandom::new();
    let value = |key: &str| secret.data.as_ref().and_then(|data| data.get(key)).map_or(&[][..], |value| &value.0);
    let authority = Authority::from_pem(value("tls.crt"), value("tls.key"), &random)?;
    let sign = |csr: &Arc<CertificateSigningRequest>| {
        // A plan only contains requests that can be parsed.
        let request = Request::parse(&csr.spec.request.0).ok()?;
        let mut serial = [0; 16];
        let serial = random.fill(&mut serial).ok().and_then(|()| Serial::new(serial)).ok_or(Unusable::Signing);
        let pem = serial.and_then(|serial| certificate(&request, &authority, now, serial, &random));
        Some(pem.map(|pem| replaced(Subresource::Status, issued(csr, pem))))
    };
    let (mut lanes, mut problem) = (Vec::new(), None);
    for written in requests.iter().filter_map(sign) {
        match written {
            Ok(write) => lanes.push(Lane { stage: Stage::Deliver, writes: vec![write] }),
            Err(unusable) => problem = problem.or(Some(unusable)),
        }
    }
    match problem {
        Some(unusable) if lanes.is_empty() => Err(unusable),
        _ => Ok(lanes),
    }
}

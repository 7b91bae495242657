//! The certificate that a custom signer issues for a request.

use std::time::Duration;

use ring::rand::SecureRandom;
use x509_cert::certificate::{Certificate, TbsCertificate, Version};
use x509_cert::der::asn1::{BitString, GeneralizedTime, OctetString, UtcTime};
use x509_cert::der::oid::AssociatedOid;
use x509_cert::der::oid::db::rfc5280::{ID_KP_CLIENT_AUTH, ID_KP_SERVER_AUTH};
use x509_cert::der::pem::LineEnding;
use x509_cert::der::{self, DateTime, Decode as _, Encode, EncodePem as _};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::{
    AuthorityKeyIdentifier, ExtendedKeyUsage, KeyUsage, KeyUsages, SubjectAltName, SubjectKeyIdentifier,
};
use x509_cert::serial_number::SerialNumber;
use x509_cert::time::{Time, Validity};

use super::authority::{Authority, Unusable};
use super::request::Request;
use tidegate_model::time::{SignedDuration, Timestamp};

/// The longest time that a certificate is valid.
///
/// # Source
/// OCM `pkg/addon/templateagent`, `CSRSign`.
pub const VALIDITY: SignedDuration = SignedDuration::from_hours(24);

/// The serial number of a certificate, below 2^128. It must be random.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Serial([u8; 16]);

impl Serial {
    /// Returns the number with these bytes, the most significant one first; `None` for 0, which no certificate may have.
    pub fn new(bytes: [u8; 16]) -> Option<Self> {
        (bytes != [0; 16]).then_some(Self(bytes))
    }
}

/// Issues the certificate for a request, as one PEM block.
///
/// Subject, public key and alternative names come from the request; other extensions of the request are ignored. The certificate
/// is good for clients and servers. It is valid from `now`, for [`VALIDITY`] or until the authority expires. Only requests for
/// which [`decide`](super::decide) returns `Sign` must come here. `random` is a source of random numbers, which signatures need.
///
/// # Errors
/// [`Unusable`].
///
/// # Source
/// OCM `addon-framework`, `CustomSignerWithExpiry`; Kubernetes `pkg/controller/certificates/authority`, and Go's
/// `x509.CreateCertificate` for the order of the extensions and the identifier of the authority's key.
pub fn certificate(
    request: &Request,
    authority: &Authority,
    now: Timestamp,
    serial: Serial,
    random: &dyn SecureRandom,
) -> Result<String, Unusable> {
    let issuer = &authority.certificate.tbs_certificate;
    let expiry = issuer.validity.not_after.to_unix_duration().as_secs();
    let expiry = i64::try_from(expiry).ok().and_then(|expiry| Timestamp::from_second(expiry).ok());
    let expiry = expiry.unwrap_or(Timestamp::MAX);
    if expiry <= now {
        return Err(Unusable::Expired(expiry));
    }
    let until = now.checked_add(VALIDITY).map_or(expiry, |until| until.min(expiry));
    let unsigned = || {
        Ok(TbsCertificate {
            version: Version::V3,
            serial_number: SerialNumber::new(&serial.0)?,
            signature: authority.algorithm(),
            issuer: issuer.subject.clone(),
            validity: Validity { not_before: time(now)?, not_after: time(until)? },
            subject: request.subject.clone(),
            subject_public_key_info: request.public_key.clone(),
            issuer_unique_id: None,
            subject_unique_id: None,
            extensions: Some(extensions(request, authority)?),
        })
    };
    let unsigned = unsigned().map_err(Unusable::Encoding)?;
    let bytes = unsigned.to_der().map_err(Unusable::Encoding)?;
    let signature = authority.sign(&bytes, random)?;
    let signed = |signature| {
        let signature = BitString::from_bytes(signature)?;
        let algorithm = authority.algorithm();
        Certificate { tbs_certificate: unsigned, signature_algorithm: algorithm, signature }.to_pem(LineEnding::LF)
    };
    signed(&signature).map_err(Unusable::Encoding)
}

/// Returns the extensions, in Go's order.
fn extensions(request: &Request, authority: &Authority) -> der::Result<Vec<Extension>> {
    let usage = KeyUsage(KeyUsages::DigitalSignature | KeyUsages::KeyEncipherment);
    let purposes = ExtendedKeyUsage(vec![ID_KP_SERVER_AUTH, ID_KP_CLIENT_AUTH]);
    let mut extensions = vec![extension(&usage, true)?, extension(&purposes, false)?];
    let known = authority.certificate.tbs_certificate.extensions.iter().flatten();
    if let Some(key) = known.into_iter().find(|known| known.extn_id == SubjectKeyIdentifier::OID) {
        let key_identifier = Some(SubjectKeyIdentifier::from_der(key.extn_value.as_bytes())?.0);
        extensions.push(extension(&AuthorityKeyIdentifier { key_identifier, ..Default::default() }, false)?);
    }
    if !request.alternative_names.is_empty() {
        extensions.push(extension(&SubjectAltName(request.alternative_names.clone()), false)?);
    }
    Ok(extensions)
}

fn extension<T: AssociatedOid + Encode>(value: &T, critical: bool) -> der::Result<Extension> {
    Ok(Extension { extn_id: T::OID, critical, extn_value: OctetString::new(value.to_der()?)? })
}

/// Returns an instant in the form that RFC 5280 requires: with two digits of the year until 2049.
fn time(at: Timestamp) -> der::Result<Time> {
    let seconds = u64::try_from(at.as_second()).map_err(|_| der::ErrorKind::DateTime)?;
    let at = DateTime::from_unix_duration(Duration::from_secs(seconds))?;
    match UtcTime::from_date_time(at) {
        Ok(at) => Ok(Time::UtcTime(at)),
        Err(_) => Ok(Time::GeneralTime(GeneralizedTime::from_date_time(at))),
    }
}

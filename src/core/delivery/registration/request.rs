//! A PKCS#10 certificate request: what its subject and its extensions ask for.

use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::der::asn1::{Ia5StringRef, PrintableStringRef, Utf8StringRef};
use x509_cert::der::oid::AssociatedOid;
use x509_cert::der::oid::db::rfc4519::{COMMON_NAME, ORGANIZATION_NAME, ORGANIZATIONAL_UNIT_NAME};
use x509_cert::der::{self, Decode, Tag, Tagged, pem};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::name::Name;
use x509_cert::request::{CertReq, ExtensionReq};
use x509_cert::spki::SubjectPublicKeyInfoOwned;

use super::possession;

const BEGIN: &[u8] = b"-----BEGIN CERTIFICATE REQUEST-----";

/// The reason why a PKCS#10 request cannot be read, or asks for something that no agent asks for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The field does not start with the PEM block of a request.
    #[error("its field spec.request does not start with a PEM block CERTIFICATE REQUEST")]
    NoRequest,
    /// The PEM block or the DER inside it is malformed.
    #[error("its field spec.request cannot be read: {0}")]
    Der(der::Error),
    /// The request is not signed with the private key that belongs to its public key.
    #[error("its signature does not fit its public key, or has an algorithm that is not supported")]
    Signature,
    /// The subject has several common names, or none.
    #[error("its subject has {0} common names, and not one")]
    CommonNames(usize),
    /// The subject has an attribute that agents do not use, given by its object identifier.
    #[error("its subject has the attribute {0}")]
    Attribute(String),
}

/// What a PKCS#10 request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The common name, which the hub treats as a user.
    pub common_name: String,
    /// The organizations, which the hub treats as groups, in the order of the subject.
    pub organizations: Vec<String>,
    /// The organizational units, in the order of the subject.
    pub units: Vec<String>,
    /// The alternative names.
    pub alternative_names: Vec<GeneralName>,
    /// The whole subject, as it is encoded.
    pub(super) subject: Name,
    /// The public key.
    pub(super) public_key: SubjectPublicKeyInfoOwned,
}

impl Request {
    /// Parses the field `spec.request` of a CertificateSigningRequest.
    ///
    /// It accepts less than Go does, so that every reader sees the same subject: exactly one PEM block with nothing before it,
    /// strict DER, a signature by the requested key, and a subject with one common name, organizations, organizational units
    /// and nothing else.
    ///
    /// # Errors
    /// [`Malformed`].
    ///
    /// # Source
    /// RFC 2986, and Go's `x509.ParseCertificateRequest`.
    pub fn parse(text: &[u8]) -> Result<Self, Malformed> {
        if !text.starts_with(BEGIN) {
            return Err(Malformed::NoRequest);
        }
        // Not `CertReq::from_pem`, which never returns if the DER ends early, and accepts bytes after the request.
        let (_, der) = pem::decode_vec(text).map_err(|error| Malformed::Der(error.into()))?;
        let request = CertReq::from_der(&der).map_err(Malformed::Der)?;
        if !possession::is_proven(&request) {
            return Err(Malformed::Signature);
        }
        let info = request.info;
        let (mut names, mut organizations, mut units) = (Vec::new(), Vec::new(), Vec::new());
        for attribute in info.subject.0.iter().flat_map(|part| part.0.iter()) {
            let values = match attribute.oid {
                COMMON_NAME => &mut names,
                ORGANIZATION_NAME => &mut organizations,
                ORGANIZATIONAL_UNIT_NAME => &mut units,
                other => return Err(Malformed::Attribute(other.to_string())),
            };
            values.push(value(attribute).map_err(Malformed::Der)?);
        }
        let [common_name] = <[String; 1]>::try_from(names).map_err(|names| Malformed::CommonNames(names.len()))?;
        let mut alternative_names = Vec::new();
        for attribute in info.attributes.iter().filter(|attribute| attribute.oid == ExtensionReq::OID) {
            for value in attribute.values.iter() {
                let extensions = value.decode_as::<Vec<Extension>>().map_err(Malformed::Der)?;
                for extension in extensions.iter().filter(|extension| extension.extn_id == SubjectAltName::OID) {
                    let names = SubjectAltName::from_der(extension.extn_value.as_bytes()).map_err(Malformed::Der)?;
                    alternative_names.extend(names.0);
                }
            }
        }
        let (subject, public_key) = (info.subject, info.public_key);
        Ok(Self { common_name, organizations, units, alternative_names, subject, public_key })
    }
}

/// Returns the string of an attribute of a subject.
fn value(attribute: &AttributeTypeAndValue) -> der::Result<String> {
    let value = &attribute.value;
    match value.tag() {
        Tag::Utf8String => value.decode_as::<Utf8StringRef<'_>>().map(|value| value.as_str().to_owned()),
        Tag::PrintableString => value.decode_as::<PrintableStringRef<'_>>().map(|value| value.as_str().to_owned()),
        Tag::Ia5String => value.decode_as::<Ia5StringRef<'_>>().map(|value| value.as_str().to_owned()),
        other => Err(other.value_error()),
    }
}
